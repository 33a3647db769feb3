package io.clusterecho.control.member;

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

    private final long[] timesNs = new long[CAPACITY];
    private final long[] positions = new long[CAPACITY];
    private int count;
    /** Samples that are closer than this to the last kept one join it: its time is that of their first byte. */
    private long gapNs;
    private boolean isKnown;
    private long bytes;
    private long ageNs;
    private long maxBytes;
    private long maxAgeNs;

    /** Add a sample, not earlier than the last: a committed position in bytes, and a copied one from 0 that was read before. */
    void sample(final long nowNs, final long committed, final long copied)
    {
        if (0 == count || committed > positions[count - 1])
        {
            add(nowNs, committed);
        }
        int first = 0;
        while (first < count && positions[first] <= copied)
        {
            first++;
        }
        // What is copied is never missing again.
        remove(first);

        isKnown = true;
        bytes = Math.max(0, committed - copied);
        ageNs = 0 == bytes || 0 == count ? 0 : nowNs - timesNs[0];
        maxBytes = Math.max(maxBytes, bytes);
        maxAgeNs = Math.max(maxAgeNs, ageNs);
    }

    private void add(final long nowNs, final long committed)
    {
        if (count > 0 && nowNs - timesNs[count - 1] < gapNs)
        {
            positions[count - 1] = committed;
            return;
        }
        if (CAPACITY == count)
        {
            gapNs = 2 * Math.max(gapNs, (timesNs[count - 1] - timesNs[0]) / CAPACITY);
            count = 0;
            for (int i = 0; i < CAPACITY; i += 2)
            {
                timesNs[count] = timesNs[i];
                positions[count++] = positions[i + 1];
            }
        }
        timesNs[count] = nowNs;
        positions[count++] = committed;
    }

    private void remove(final int number)
    {
        if (number > 0)
        {
            System.arraycopy(timesNs, number, timesNs, 0, count - number);
            System.arraycopy(positions, number, positions, 0, count - number);
            count -= number;
            gapNs = 0 == count ? 0 : gapNs;
        }
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
