package io.clusterecho.client.schedule;

/**
 * Intended send times. Called by the one thread that sends and receives.
 */
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
     * @return in ns, at least 1.
     */
    long distanceNs();

    /**
     * Whether times are drawn at a constant mean rate, so that a number of messages takes longer or shorter than that rate says.
     */
    default boolean isDrawn()
    {
        return false;
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
}
