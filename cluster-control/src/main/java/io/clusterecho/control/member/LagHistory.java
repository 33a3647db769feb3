package io.clusterecho.control.member;

import java.util.ArrayDeque;
import java.util.Deque;

import io.clusterecho.media.counters.CounterColumn;

/**
 * How far a copy of the log is behind, in bytes and in time, from samples of both positions. Keeps when each position was seen
 * committed, so that the time of the first byte that is missing is known. One thread.
 * <pre>
 *   committed  ---+------+------------+------&gt;  seen at t1, t2, t3
 *   copied     --------+                         lag: bytes up to t3's position, time since t2
 * </pre>
 * When the memory is full, pairs of samples join, and later ones are kept at twice their distance: so a time is exact to a few
 * thousandths of the longest lag, and never too short.
 */
final class LagHistory
{
    private static final int CAPACITY = 1 << 14;

    /** Samples of what is not copied yet, the oldest first. */
    private final Deque<Sample> missing = new ArrayDeque<>(CAPACITY);
    /** Samples that are closer than this to the last kept one join it: its time is that of their first byte. */
    private long gapNs;
    private boolean isKnown;
    private long bytes;
    private long ageNs;
    private long maxBytes;
    private long maxAgeNs;

    private record Sample(long timeNs, long position)
    {
    }

    /** Add a sample, not earlier than the last: a committed position in bytes, and a copied one from 0 that was read before. */
    void sample(final long nowNs, final long committed, final long copied)
    {
        if (missing.isEmpty() || committed > missing.getLast().position)
        {
            add(nowNs, committed);
        }
        // What is copied is never missing again.
        while (!missing.isEmpty() && missing.getFirst().position <= copied)
        {
            missing.removeFirst();
        }
        gapNs = missing.isEmpty() ? 0 : gapNs;

        isKnown = true;
        bytes = Math.max(0, committed - copied);
        ageNs = 0 == bytes || missing.isEmpty() ? 0 : nowNs - missing.getFirst().timeNs;
        maxBytes = Math.max(maxBytes, bytes);
        maxAgeNs = Math.max(maxAgeNs, ageNs);
    }

    private void add(final long nowNs, final long committed)
    {
        if (!missing.isEmpty() && nowNs - missing.getLast().timeNs < gapNs)
        {
            missing.addLast(new Sample(missing.removeLast().timeNs, committed));
            return;
        }
        if (CAPACITY == missing.size())
        {
            gapNs = 2 * Math.max(gapNs, (missing.getLast().timeNs - missing.getFirst().timeNs) / CAPACITY);
            for (int i = 0; i < CAPACITY / 2; i++)
            {
                final long firstNs = missing.removeFirst().timeNs;
                missing.addLast(new Sample(firstNs, missing.removeFirst().position));
            }
        }
        missing.addLast(new Sample(nowNs, committed));
    }

    /** Put the lag into a sample by columns, if it is known, and begin a new interval. */
    void take(final long[] values)
    {
        if (isKnown)
        {
            values[CounterColumn.BACKUP_LAG_BYTES.ordinal()] = bytes;
            values[CounterColumn.BACKUP_LAG_MAX_BYTES.ordinal()] = maxBytes;
            values[CounterColumn.BACKUP_LAG_MS.ordinal()] = ageNs;
            values[CounterColumn.BACKUP_LAG_MAX_MS.ordinal()] = maxAgeNs;
            // The maximum of the next interval is at least the present lag.
            maxBytes = bytes;
            maxAgeNs = ageNs;
        }
    }
}
