package io.clusterecho.node.stage;

import java.util.concurrent.atomic.AtomicLongArray;

import org.agrona.BitUtil;

/**
 * When a position of the log reached which value, as one thread saw it, for another that asks for rising positions. Holds the
 * newest changes; neither side waits for the other, and neither allocates.
 */
final class PositionTimes
{
    /** Answer for a position that was not reached yet, as far as was seen. */
    static final long NOT_YET = Long.MAX_VALUE;
    /** Answer for a position that was reached before the first change that is still known, or while nobody looked. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final AtomicLongArray positions;
    private final AtomicLongArray timesNs;
    private final int mask;
    /** Changes so far. Written by one thread. */
    private volatile long count;
    private long position = Long.MIN_VALUE;

    // Of the asking thread.
    private long next;
    private long firstKnown;

    PositionTimes(final int capacity)
    {
        final int length = BitUtil.findNextPositivePowerOfTwo(capacity);
        positions = new AtomicLongArray(length);
        timesNs = new AtomicLongArray(length);
        mask = length - 1;
    }

    /**
     * Position of the last change; for the writing thread.
     */
    long position()
    {
        return position;
    }

    /**
     * The position has changed.
     *
     * @param newPosition higher than before.
     * @param timeNs      when that was seen.
     */
    void add(final long newPosition, final long timeNs)
    {
        final long index = count;
        final int slot = (int)index & mask;
        positions.setRelease(slot, newPosition);
        timesNs.setRelease(slot, timeNs);
        position = newPosition;
        count = index + 1;
    }

    /**
     * When a position was reached.
     *
     * @param asked position, not lower than the one asked for before.
     * @return in ns, {@link #NOT_YET} or {@link #UNKNOWN}.
     */
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
        // What stood before the first one is not known, so it may have been reached earlier.
        return next == firstKnown || count - next > mask ? UNKNOWN : timeNs;
    }
}
