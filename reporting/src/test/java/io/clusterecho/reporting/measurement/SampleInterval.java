package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/** Intervals of 1 s with all counters 0 and some recorded times. */
public record SampleInterval(
    RunPhase phase,
    long beginNs,
    long endNs,
    Histogram responseTimes,
    Histogram serviceTimes,
    Histogram sendDelays,
    Histogram receiveLateness,
    Histogram clientParts,
    Histogram stalls) implements RunInterval
{
    private static final long NS_PER_S = 1_000_000_000L;

    /**
     * @param number from 0.
     * @return the interval from {@code number} s on.
     */
    public static RunInterval of(final int number)
    {
        return of(RunPhase.MEASURE, number);
    }

    /**
     * @param number from 0.
     * @return the same interval, in the warm-up.
     */
    public static RunInterval ofWarmUp(final int number)
    {
        return of(RunPhase.WARM_UP, number);
    }

    private static RunInterval of(final RunPhase phase, final int number)
    {
        final long beginNs = number * NS_PER_S;
        final SampleInterval interval = new SampleInterval(
            phase, beginNs, beginNs + NS_PER_S, TimeRecorder.newHistogram(), TimeRecorder.newHistogram(),
            TimeRecorder.newHistogram(), TimeRecorder.newHistogram(), TimeRecorder.newHistogram(), TimeRecorder.newHistogram());
        for (int i = 0; i <= number; i++)
        {
            interval.responseTimes.recordValue(1_000_000L + 7_919L * i * i);
            interval.serviceTimes.recordValue(900_000L);
            interval.sendDelays.recordValue(100_000L + i);
            interval.receiveLateness.recordValue(20_000L + i);
            interval.clientParts.recordValueWithCount(1_000_000L + 7_919L * i * i, 120_000L + i);
        }
        interval.stalls.recordValue(2_000_000L);
        return interval;
    }

    @Override
    public boolean isLast()
    {
        return false;
    }

    @Override
    public long startEpochMs()
    {
        return 0;
    }

    @Override
    public long measuredNs()
    {
        return RunPhase.WARM_UP == phase ? 0 : NS_PER_S;
    }

    @Override
    public long ratePerSecondAsked()
    {
        return 0;
    }

    @Override
    public int leaderMemberId()
    {
        return -1;
    }

    @Override
    public long count(final Counter counter)
    {
        return 0;
    }

    @Override
    public Histogram warmUpResponseTimes()
    {
        return TimeRecorder.newHistogram();
    }

    @Override
    public Histogram total()
    {
        return responseTimes;
    }
}
