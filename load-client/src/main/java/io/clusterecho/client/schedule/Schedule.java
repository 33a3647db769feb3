package io.clusterecho.client.schedule;

/**
 * Intended send times. Called by the one thread that sends and receives.
 */
public interface Schedule
{
    /**
     * When message n is due.
     *
     * @param index of the message, from 0. A caller may go back, but moves forward by no more than it has asked for.
     * @return ns since the start of the schedule; never decreases with the index.
     */
    long timeNs(long index);

    /**
     * Mean distance between two times at which messages are due: what is measured by single messages is known no better.
     *
     * @return in ns, at least 1.
     */
    long distanceNs();
}
