package io.clusterecho.client.schedule;

import java.util.function.LongPredicate;

/** Intended send times. Called by the one thread that sends and receives. */
public interface Schedule
{
    /**
     * Intended send time of message n.
     *
     * @param index of the message, from 0. Calls may go back; a jump forward may take time in proportion to its length.
     * @return ns since the start of the schedule; never decreases with the index.
     */
    long timeNs(long index);

    /**
     * Mean interval between times at which messages are due: the resolution of anything measured with single messages.
     *
     * @return in ns, at least 1; of a rate that varies, that at its begin; not for a trace.
     */
    default long distanceNs()
    {
        return Math.max(1, (long)(1e9 / ratePerSecond(0, 1)));
    }

    /**
     * Intended send time of message n without the chance in drawn times, which make a number of messages take longer or shorter
     * than the target rate says. The same as {@link #timeNs} where none is drawn.
     *
     * @param index of the message, from 0.
     * @return ns since the start of the schedule; never decreases with the index.
     */
    default long meanTimeNs(final long index)
    {
        return timeNs(index);
    }

    /**
     * Mean target rate of a time; any thread may call this.
     *
     * @param beginNs since the start of the schedule, from 0.
     * @param endNs   since the start of the schedule.
     * @return messages per second, not rounded; after the last message that of a schedule without an end. 0 for an empty time of
     *         a varying rate.
     */
    double ratePerSecond(long beginNs, long endNs);

    /** Index of the first of so many messages that is due at a time, in ns since the start, or later; their number if none is. */
    default long firstDueFrom(final long timeNs, final long messageCount)
    {
        return first(messageCount, (index) -> timeNs(index) >= timeNs);
    }

    /** The first of so many indexes from which on a condition holds; their number if it never does. */
    static long first(final long count, final LongPredicate condition)
    {
        long low = 0;
        long high = count;
        while (low < high)
        {
            final long middle = (low + high) >>> 1;
            if (condition.test(middle))
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }
        return low;
    }
}
