package io.clusterecho.node.stage;

import java.util.concurrent.atomic.AtomicLongArray;

import org.agrona.BitUtil;

/**
 * Times at which a position of the log reached its values, written by one thread and read by another with ascending positions.
 * Keeps the newest changes; neither side waits for the other or allocates.
 */
final class PositionTimes
{
    /** The position was not reached at the last sample; later than any time. */
    static final long NOT_YET = Long.MAX_VALUE;
    /** The position was reached before the oldest known change, or while nothing was sampled; before any time. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final AtomicLongArray positions;
    private final AtomicLongArray timesNs;
    private final int mask;
    /** Number of changes so far. Written by one thread. */
    private volatile long count;
    /** Of the last change; for the writing thread. */
    long position = Long.MIN_VALUE;

    // Used by the reading thread only.
    private long next;
    private long firstKnown;

    PositionTimes(final int capacity)
    {
        final int length = BitUtil.findNextPositivePowerOfTwo(capacity);
        positions = new AtomicLongArray(length);
        timesNs = new AtomicLongArray(length);
        mask = length - 1;
    }

    /** Record a change of the position, unless it is not higher than before. */
    void add(final long newPosition, final long timeNs)
    {
        if (newPosition <= position)
        {
            return;
        }

        final long index = count;
        final int slot = (int)index & mask;
        positions.setRelease(slot, newPosition);
        timesNs.setRelease(slot, timeNs);
        position = newPosition;
        count = index + 1;
    }

    /** Time in ns at which a position, not lower than in the call before, was reached, {@link #NOT_YET} or {@link #UNKNOWN}. */
    long timeNs(final long asked)
    {
        final long end = count;
        final long oldest = end - mask;
        if (next < oldest)
        {
            next = oldest;
            firstKnown = oldest;
        }
        while (next < end && positions.getAcquire((int)next & mask) < asked)
        {
            next++;
        }
        if (next == end)
        {
            return 0 == end ? UNKNOWN : NOT_YET;
        }

        final long timeNs = timesNs.getAcquire((int)next & mask);
        // The value before the first change is unknown, so the position may have been reached earlier.
        return next == firstKnown || count - next > mask ? UNKNOWN : timeNs;
    }
}
