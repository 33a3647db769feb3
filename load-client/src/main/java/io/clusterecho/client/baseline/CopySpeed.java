package io.clusterecho.client.baseline;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * How fast one thread copies memory.
 *
 * @param messageLengthBytes    of a message, which stays in the nearest cache.
 * @param messageBytesPerSecond copied in pieces of that length.
 * @param largeLengthBytes      of a copy that no cache holds.
 * @param largeBytesPerSecond   copied in pieces of that length.
 */
public record CopySpeed(
    int messageLengthBytes, double messageBytesPerSecond, int largeLengthBytes, double largeBytesPerSecond)
{
    private static final int LARGE_LENGTH_BYTES = 64 << 20;
    private static final int SMALL_COPIES_PER_CHECK = 1024;
    private static final int WARM_UP_PART = 4;

    /**
     * Measure both.
     *
     * @param messageLengthBytes of a message.
     * @param timeNs             for each of the two in ns; some copies are made at least.
     * @param isEnded            asked every thousand messages, and after each large copy.
     */
    public static CopySpeed measure(final int messageLengthBytes, final long timeNs, final BooleanSupplier isEnded)
    {
        // Both buffers of a copy, and room for the rest.
        final int largeLengthBytes = (int)Math.min(LARGE_LENGTH_BYTES, Runtime.getRuntime().maxMemory() / 8);
        return new CopySpeed(
            messageLengthBytes,
            bytesPerSecond(messageLengthBytes, SMALL_COPIES_PER_CHECK, timeNs, isEnded),
            largeLengthBytes,
            bytesPerSecond(largeLengthBytes, 1, timeNs, isEnded));
    }

    private static double bytesPerSecond(
        final int lengthBytes, final int copiesPerCheck, final long timeNs, final BooleanSupplier isEnded)
    {
        final UnsafeBuffer source = new UnsafeBuffer(ByteBuffer.allocateDirect(lengthBytes));
        final UnsafeBuffer target = new UnsafeBuffer(ByteBuffer.allocateDirect(lengthBytes));
        // Pages that were never written are all one page of zeros, which is in the cache whatever their length.
        source.setMemory(0, lengthBytes, (byte)1);
        target.setMemory(0, lengthBytes, (byte)2);

        copy(source, target, copiesPerCheck, timeNs / WARM_UP_PART, isEnded);
        final long beginNs = System.nanoTime();
        final long count = copy(source, target, copiesPerCheck, timeNs - timeNs / WARM_UP_PART, isEnded);
        return count * (double)lengthBytes * 1e9 / (System.nanoTime() - beginNs);
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
