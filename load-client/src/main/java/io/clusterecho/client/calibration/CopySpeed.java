package io.clusterecho.client.calibration;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Speed at which one thread copies memory.
 *
 * @param messageLengthBytes    of a message, which fits in the L1 cache.
 * @param largeLengthBytes      of a copy larger than any cache.
 */
public record CopySpeed(
    int messageLengthBytes, long messageBytesPerSecond, int largeLengthBytes, long largeBytesPerSecond)
{
    private static final int LARGE_LENGTH_BYTES = 64 << 20;
    private static final int SMALL_COPIES_PER_CHECK = 1024;
    private static final int WARM_UP_PART = 4;

    /**
     * Measure both.
     *
     * @param timeNs             for each of the two in ns; a few copies are always made.
     * @param isEnded            checked every thousand messages and after each large copy.
     */
    public static CopySpeed measure(final int messageLengthBytes, final long timeNs, final BooleanSupplier isEnded)
    {
        // Room for both buffers of a copy and the rest of the heap.
        final int largeLengthBytes = (int)Math.min(LARGE_LENGTH_BYTES, Runtime.getRuntime().maxMemory() / 8);
        return new CopySpeed(
            messageLengthBytes,
            bytesPerSecond(messageLengthBytes, SMALL_COPIES_PER_CHECK, timeNs, isEnded),
            largeLengthBytes,
            bytesPerSecond(largeLengthBytes, 1, timeNs, isEnded));
    }

    private static long bytesPerSecond(
        final int lengthBytes, final int copiesPerCheck, final long timeNs, final BooleanSupplier isEnded)
    {
        final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(lengthBytes));
        final UnsafeBuffer target = new UnsafeBuffer(ByteBuffer.allocateDirect(lengthBytes));
        // Unwritten pages all map to one page of zeros, which stays in the cache whatever their length.
        source.setMemory(0, lengthBytes, (byte)1);
        target.setMemory(0, lengthBytes, (byte)2);

        copy(source, target, copiesPerCheck, timeNs / WARM_UP_PART, isEnded);
        final long beginNs = System.nanoTime();
        final long count = copy(source, target, copiesPerCheck, timeNs - timeNs / WARM_UP_PART, isEnded);
        return Math.round(count * (double)lengthBytes * 1e9 / (System.nanoTime() - beginNs));
    }

    private static long copy(
        final UnsafeBuffer source,
        final UnsafeBuffer target,
        final int copiesPerCheck,
        final long timeNs,
        final BooleanSupplier isEnded)
    {
        final long endNs = System.nanoTime() + timeNs;
        long count = 0;
        do
        {
            for (int i = 0; i < copiesPerCheck; i++)
            {
                target.putBytes(0, source, 0, source.capacity());
            }
            count += copiesPerCheck;
        }
        while (System.nanoTime() - endNs < 0 && !isEnded.getAsBoolean());

        return count;
    }
}
