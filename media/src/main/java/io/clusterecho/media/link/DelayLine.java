package io.clusterecho.media.link;

import java.net.InetSocketAddress;
import java.util.SplittableRandom;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import io.clusterecho.media.zone.Placement.Distance;

/**
 * Holds frames until they are due, in the order of arrival: the bytes in a ring of Agrona's, the rest in slots. For one thread;
 * does not allocate for a frame.
 */
final class DelayLine
{
    interface Receiver
    {
        /** Process a frame, at the beginning of the buffer, as if it had just arrived. */
        void onDue(UnsafeBuffer frame, int lengthBytes, InetSocketAddress source, int transportIndex);
    }

    private static final int FRAME_TYPE = 1;

    private final Distance distance;
    private final SplittableRandom random;
    private final OneToOneRingBuffer bytes;
    private final MessageHandler onFrame = this::onFrame;
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final int slotMask;
    private final long[] dueNs;
    private final int[] transportIndexes;
    private final Receiver[] receivers;
    private final InetSocketAddress[] sources;
    private int head;
    private int tail;
    private long lastDueNs;

    /** A line for a number of frames and for bytes of all of them with 8 more each, both a power of two. */
    DelayLine(final Distance distance, final int slotCount, final int capacityBytes, final long seed)
    {
        this.distance = distance;
        random = new SplittableRandom(seed);
        bytes = new OneToOneRingBuffer(new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(capacityBytes + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
        slotMask = slotCount - 1;
        dueNs = new long[slotCount];
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
     * Add a frame; false if there is no space for it, or if it is longer than an eighth of the bytes.
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
        if (tail - head > slotMask || lengthBytes > bytes.maxMsgLength() || !bytes.write(FRAME_TYPE, buffer, 0, lengthBytes))
        {
            return false;
        }

        final long earliestNs = sentNs + distance.delayNs() + jitterNs();
        // Frames are not reordered.
        lastDueNs = isEmpty() || earliestNs - lastDueNs > 0 ? earliestNs : lastDueNs;
        final int slot = tail++ & slotMask;
        dueNs[slot] = lastDueNs;
        transportIndexes[slot] = transportIndex;
        receivers[slot] = receiver;
        sources[slot] = source;
        return true;
    }

    void release(final long nowNs)
    {
        while (head != tail && dueNs[head & slotMask] - nowNs <= 0)
        {
            bytes.read(onFrame, 1);
        }
    }

    private void onFrame(final int typeId, final MutableDirectBuffer buffer, final int index, final int lengthBytes)
    {
        final int slot = head++ & slotMask;
        final Receiver receiver = receivers[slot];
        receivers[slot] = null;
        frame.wrap(buffer, index, lengthBytes);
        receiver.onDue(frame, lengthBytes, sources[slot], transportIndexes[slot]);
    }

    boolean isEmpty()
    {
        return head == tail;
    }

    private long jitterNs()
    {
        return 0 == distance.jitterNs() ? 0 : random.nextLong(distance.jitterNs() + 1);
    }
}
