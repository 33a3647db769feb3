package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * One interval of a run. Valid only during the call that passes it: the object is reused for the next interval, and times are
 * recorded into its histograms again. Counts are totals since the start of the run.
 */
public interface RunInterval
{
    /** Shortest stall that a result warns of. */
    long SHORTEST_STALL_NS = 10_000_000L;

    /** Phase in which most of the interval lay: warm-up, measured window or drain. */
    RunPhase phase();

    /** Whether the run ended with this interval. */
    boolean isLast();

    /** Start of the schedule in epoch ms. */
    long startEpochMs();

    /** Begin of the interval in ns since the start of the schedule. */
    long beginNs();

    /** End of the interval in ns since the start of the schedule. */
    long endNs();

    /** Target rate in messages per second. */
    long ratePerSecondAsked();

    /** Id of the leader, or -1 if unknown or if the transport has none. */
    int leaderMemberId();

    /** Value of a counter since the start. */
    long count(Counter counter);

    /** Messages sent since the start, warm-up included. */
    default long sentAll()
    {
        return count(Counter.SENT_ALL);
    }

    /** First replies since the start, warm-up included. */
    default long answeredAll()
    {
        return count(Counter.ANSWERED_ALL);
    }

    /** Measured messages sent since the start. */
    default long sent()
    {
        return count(Counter.SENT);
    }

    /** First replies to measured messages since the start. */
    default long answered()
    {
        return count(Counter.ANSWERED) + count(Counter.LATE);
    }

    /** Attempts to send that met back pressure since the start. */
    default long backPressured()
    {
        return count(Counter.BACK_PRESSURED);
    }

    /** Attempts to send without a session since the start. */
    default long disconnected()
    {
        return count(Counter.DISCONNECTED);
    }

    /** How much of the interval lay after the warm-up, in ns. */
    long measuredNs();

    /**
     * Whether its stalls count: not those of the warm-up. An interval that is mostly warm-up counts if {@link #SHORTEST_STALL_NS}
     * or more of it lay after that; with less it only ended a little late.
     */
    default boolean isMeasured()
    {
        return RunPhase.WARM_UP != phase() || measuredNs() >= SHORTEST_STALL_NS;
    }

    /** Response times in ns of measured messages, recorded in the interval. */
    Histogram responseTimes();

    /** Service times in ns of measured messages, recorded in the interval. */
    Histogram serviceTimes();

    /** Send delays in ns of measured messages, recorded in the interval. */
    Histogram sendDelays();

    /** Receive lateness in ns of measured messages whose arrival is known, recorded in the interval. */
    Histogram receiveLateness();

    /** What the client added to measured messages, by their response time: the counts are sums in ns. */
    Histogram clientParts();

    /** Response times in ns of warm-up messages, recorded in the interval. */
    Histogram warmUpResponseTimes();

    /** Stalls of this process in ns, recorded in the interval. */
    Histogram stalls();

    /** Response times in ns of all measured messages so far. */
    Histogram total();
}
