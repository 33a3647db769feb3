package io.clusterecho.media.link;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import io.clusterecho.media.zone.Distance;

/**
 * Holds frames until they are due, in the order of arrival. For one thread; does not allocate for a frame.
 * <pre>
 *   slots   | due, receiver, source, begin, length | ...        a ring, oldest first
 *   bytes   |   frame   |  frame  | ...  free ...  |            a ring too; no frame is split over its end
 * </pre>
 */
final class DelayLine
{
    interface Receiver
    {
        /** Process a frame, at the beginning of the buffer, as if it had just arrived. */
        void onDue(UnsafeBuffer frame, int lengthBytes, InetSocketAddress source, int transportIndex);
    }

    private static final int ALIGNMENT_BYTES = 64;

    private final Distance distance;
    private final SplittableRandom random;
    private final int capacityBytes;
    private final UnsafeBuffer bytes;
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final int slotMask;
    private final long[] dueNs;
    private final int[] begins;
    private final int[] lengths;
    private final int[] transportIndexes;
    private final Receiver[] receivers;
    private final InetSocketAddress[] sources;
    private int head;
    private int tail;
    private int end;
    private long lastDueNs;

    /** A line for a number of frames, a power of two, and for bytes of all of them, a multiple of 64. */
    DelayLine(final Distance distance, final int slotCount, final int capacityBytes, final long seed)
    {
        this.distance = distance;
        this.capacityBytes = capacityBytes;
        random = new SplittableRandom(seed);
        final ByteBuffer memory = BufferUtil.allocateDirectAligned(capacityBytes, ALIGNMENT_BYTES);
        bytes = new UnsafeBuffer(memory);
        slotMask = slotCount - 1;
        dueNs = new long[slotCount];
        begins = new int[slotCount];
        lengths = new int[slotCount];
        transportIndexes = new int[slotCount];
        receivers = new Receiver[slotCount];
        sources = new InetSocketAddress[slotCount];
    }

    /** Decide whether the next frame is lost. Call it once per frame. */
    boolean isLost()
    {
        return distance.lossShare() > 0 && random.nextDouble() < distance.lossShare();
    }

    /** Delay of each frame without jitter, in ns. */
    long delayNs()
    {
        return distance.delayNs();
    }

    /**
     * Add a frame; false if there is no space for it.
     *
     * @param sentNs to which the distance is added. It is not due before those added earlier.
     */
    boolean add(
        final Receiver receiver,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex,
        final long sentNs)
    {
        final int begin = claim(lengthBytes);
        if (begin < 0)
        {
            return false;
        }

        bytes.putBytes(begin, buffer, 0, lengthBytes);
        final long earliestNs = sentNs + distance.delayNs() + jitterNs();
        // Frames are not reordered.
        lastDueNs = isEmpty() || earliestNs - lastDueNs > 0 ? earliestNs : lastDueNs;
        final int slot = tail++ & slotMask;
        dueNs[slot] = lastDueNs;
        begins[slot] = begin;
        lengths[slot] = lengthBytes;
        transportIndexes[slot] = transportIndex;
        receivers[slot] = receiver;
        sources[slot] = source;
        end = begin + BitUtil.align(lengthBytes, ALIGNMENT_BYTES);
        return true;
    }

    void release(final long nowNs)
    {
        while (head != tail && dueNs[head & slotMask] - nowNs <= 0)
        {
            final int slot = head & slotMask;
            frame.wrap(bytes, begins[slot], lengths[slot]);
            final Receiver receiver = receivers[slot];
            receivers[slot] = null;
            try
            {
                receiver.onDue(frame, lengths[slot], sources[slot], transportIndexes[slot]);
            }
            finally
            {
                // Not earlier: a frame must not be overwritten while it is read.
                head++;
            }
        }
    }

    boolean isEmpty()
    {
        return head == tail;
    }

    /** Offset for a frame of some length, or -1 if there is no space. */
    private int claim(final int lengthBytes)
    {
        if (head == tail)
        {
            return lengthBytes <= capacityBytes ? 0 : -1;
        }
        if (tail - head > slotMask)
        {
            return -1;
        }

        final int first = begins[head & slotMask];
        if (end > first)
        {
            if (lengthBytes <= capacityBytes - end)
            {
                return end;
            }

            return lengthBytes <= first ? 0 : -1;
        }

        return lengthBytes <= first - end ? end : -1;
    }

    private long jitterNs()
    {
        return 0 == distance.jitterNs() ? 0 : random.nextLong(distance.jitterNs() + 1);
    }
}
