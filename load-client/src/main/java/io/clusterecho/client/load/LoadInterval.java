package io.clusterecho.client.load;

import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/** An interval object that the thread watching a run reuses. */
public final class LoadInterval implements RunInterval
{
    Histogram responseTimes = TimeRecorder.newHistogram();
    Histogram serviceTimes = TimeRecorder.newHistogram();
    Histogram sendDelays = TimeRecorder.newHistogram();
    Histogram receiveLateness = TimeRecorder.newHistogram();
    Histogram clientParts = TimeRecorder.newHistogram();
    Histogram warmUpResponseTimes = TimeRecorder.newHistogram();
    final Histogram stalls = StallMeter.newHistogram();
    final long[] counts = new long[Counter.values().length];
    Histogram total;
    RunPhase phase;
    boolean isLast;
    long startEpochMs;
    long beginNs;
    long endNs;
    long measuredNs;
    long ratePerSecondAsked;
    int leaderMemberId = -1;

    LoadInterval()
    {
    }

    /**
     * Take over what was recorded.
     *
     * @param warmUp   of messages of the warm-up.
     */
    void times(final TimeRecorder warmUp, final TimeRecorder measured)
    {
        warmUpResponseTimes = warmUp.responseTimes();
        responseTimes = measured.responseTimes();
        serviceTimes = measured.serviceTimes();
        sendDelays = measured.sendDelays();
        receiveLateness = measured.receiveLateness();
        clientParts = measured.clientParts();
    }

    @Override
    public RunPhase phase()
    {
        return phase;
    }

    @Override
    public boolean isLast()
    {
        return isLast;
    }

    @Override
    public long startEpochMs()
    {
        return startEpochMs;
    }

    @Override
    public long beginNs()
    {
        return beginNs;
    }

    @Override
    public long endNs()
    {
        return endNs;
    }

    @Override
    public long measuredNs()
    {
        return measuredNs;
    }

    @Override
    public long ratePerSecondAsked()
    {
        return ratePerSecondAsked;
    }

    @Override
    public int leaderMemberId()
    {
        return leaderMemberId;
    }

    @Override
    public long count(final Counter counter)
    {
        return counts[counter.ordinal()];
    }

    @Override
    public Histogram responseTimes()
    {
        return responseTimes;
    }

    @Override
    public Histogram serviceTimes()
    {
        return serviceTimes;
    }

    @Override
    public Histogram sendDelays()
    {
        return sendDelays;
    }

    @Override
    public Histogram receiveLateness()
    {
        return receiveLateness;
    }

    @Override
    public Histogram clientParts()
    {
        return clientParts;
    }

    @Override
    public Histogram warmUpResponseTimes()
    {
        return warmUpResponseTimes;
    }

    @Override
    public Histogram stalls()
    {
        return stalls;
    }

    @Override
    public Histogram total()
    {
        return total;
    }
}
