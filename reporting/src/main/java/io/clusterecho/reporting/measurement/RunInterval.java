package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * What one interval of a run held, valid during the call that hands it over: the same object is filled again for the next
 * interval. Counts are sums since the start of the run.
 */
public interface RunInterval
{
    /**
     * Where the run was when the interval ended.
     */
    RunPhase phase();

    /**
     * Start of the schedule in epoch ms.
     */
    long startEpochMs();

    /**
     * Begin of the interval in ns since the start of the schedule.
     */
    long beginNs();

    /**
     * End of the interval in ns since the start of the schedule.
     */
    long endNs();

    /**
     * Rate of the schedule.
     *
     * @return messages per second.
     */
    long ratePerSecondAsked();

    /**
     * Member that leads.
     *
     * @return its id, or -1 when it is not known or the transport has none.
     */
    int leaderMemberId();

    /**
     * What was counted since the start.
     *
     * @param counter to read.
     */
    long count(Counter counter);

    /**
     * Messages sent since the start, warm-up included.
     */
    default long sentAll()
    {
        return count(Counter.SENT_ALL);
    }

    /**
     * First replies since the start, warm-up included.
     */
    default long answeredAll()
    {
        return count(Counter.ANSWERED_ALL);
    }

    /**
     * Measured messages sent since the start.
     */
    default long sent()
    {
        return count(Counter.SENT);
    }

    /**
     * First replies to measured messages since the start.
     */
    default long answered()
    {
        return count(Counter.ANSWERED) + count(Counter.LATE);
    }

    /**
     * Attempts to send that met back pressure since the start.
     */
    default long backPressured()
    {
        return count(Counter.BACK_PRESSURED);
    }

    /**
     * Attempts to send without a session since the start.
     */
    default long disconnected()
    {
        return count(Counter.DISCONNECTED);
    }

    /**
     * Response times recorded in the interval, of measured messages.
     *
     * @return in ns.
     */
    Histogram responseTimes();

    /**
     * Service times recorded in the interval, of measured messages.
     *
     * @return in ns.
     */
    Histogram serviceTimes();

    /**
     * Send delays recorded in the interval, of measured messages.
     *
     * @return in ns.
     */
    Histogram sendDelays();

    /**
     * Response times recorded in the interval, of warm-up messages.
     *
     * @return in ns.
     */
    Histogram warmUpResponseTimes();

    /**
     * Stalls of this process seen in the interval.
     *
     * @return in ns.
     */
    Histogram stalls();

    /**
     * Response times of all measured messages so far.
     *
     * @return in ns.
     */
    Histogram total();
}
