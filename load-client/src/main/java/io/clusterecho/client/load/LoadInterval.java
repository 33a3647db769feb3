package io.clusterecho.client.load;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.TimeRecorder;
import io.clusterecho.platform.StallMeter;

import org.HdrHistogram.Histogram;

/**
 * What one interval of a run held. One object is used again for every interval: listeners copy what they keep.
 */
public final class LoadInterval
{
    final Histogram responseTimes = TimeRecorder.newHistogram();
    final Histogram serviceTimes = TimeRecorder.newHistogram();
    final Histogram sendDelays = TimeRecorder.newHistogram();
    final Histogram warmUpResponseTimes = TimeRecorder.newHistogram();
    final Histogram stalls = StallMeter.newHistogram();
    final long[] counts = new long[Counter.values().length];
    Histogram total;
    Phase phase;
    long startEpochMs;
    long beginNs;
    long endNs;
    long ratePerSecondAsked;
    int leaderMemberId = -1;

    LoadInterval()
    {
    }

    /**
     * Where the run was when the interval ended.
     *
     * @return the phase.
     */
    public Phase phase()
    {
        return phase;
    }

    /**
     * Start of the schedule in epoch ms.
     *
     * @return the time.
     */
    public long startEpochMs()
    {
        return startEpochMs;
    }

    /**
     * Begin of the interval in ns since the start of the schedule.
     *
     * @return the time.
     */
    public long beginNs()
    {
        return beginNs;
    }

    /**
     * End of the interval in ns since the start of the schedule.
     *
     * @return the time.
     */
    public long endNs()
    {
        return endNs;
    }

    /**
     * Rate of the schedule.
     *
     * @return messages per second.
     */
    public long ratePerSecondAsked()
    {
        return ratePerSecondAsked;
    }

    /**
     * Member that leads.
     *
     * @return its id, or -1 when it is not known or the transport has none.
     */
    public int leaderMemberId()
    {
        return leaderMemberId;
    }

    /**
     * What was counted since the start.
     *
     * @param counter to read.
     * @return the count.
     */
    public long count(final Counter counter)
    {
        return counts[counter.ordinal()];
    }

    /**
     * Messages sent since the start, warm-up included.
     *
     * @return the count.
     */
    public long sentAll()
    {
        return count(Counter.SENT_ALL);
    }

    /**
     * First replies since the start, warm-up included.
     *
     * @return the count.
     */
    public long answeredAll()
    {
        return count(Counter.ANSWERED_ALL);
    }

    /**
     * Measured messages sent since the start.
     *
     * @return the count.
     */
    public long sent()
    {
        return count(Counter.SENT);
    }

    /**
     * First replies to measured messages since the start.
     *
     * @return the count.
     */
    public long answered()
    {
        return count(Counter.ANSWERED) + count(Counter.LATE);
    }

    /**
     * Attempts to send that met back pressure since the start.
     *
     * @return the count.
     */
    public long backPressured()
    {
        return count(Counter.BACK_PRESSURED);
    }

    /**
     * Attempts to send without a session since the start.
     *
     * @return the count.
     */
    public long disconnected()
    {
        return count(Counter.DISCONNECTED);
    }

    /**
     * Response times recorded in the interval, of measured messages.
     *
     * @return in ns.
     */
    public Histogram responseTimes()
    {
        return responseTimes;
    }

    /**
     * Service times recorded in the interval, of measured messages.
     *
     * @return in ns.
     */
    public Histogram serviceTimes()
    {
        return serviceTimes;
    }

    /**
     * Send delays recorded in the interval, of measured messages.
     *
     * @return in ns.
     */
    public Histogram sendDelays()
    {
        return sendDelays;
    }

    /**
     * Response times recorded in the interval, of warm-up messages.
     *
     * @return in ns.
     */
    public Histogram warmUpResponseTimes()
    {
        return warmUpResponseTimes;
    }

    /**
     * Stalls of this process seen in the interval.
     *
     * @return in ns.
     */
    public Histogram stalls()
    {
        return stalls;
    }

    /**
     * Response times of all measured messages so far.
     *
     * @return in ns.
     */
    public Histogram total()
    {
        return total;
    }
}
