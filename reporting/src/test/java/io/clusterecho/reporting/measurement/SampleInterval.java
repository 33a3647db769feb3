package io.clusterecho.reporting.measurement;

/** Intervals of 1 s with some recorded times. */
public final class SampleInterval
{
    private static final long NS_PER_S = 1_000_000_000L;

    private SampleInterval()
    {
    }

    /**
     * @param number from 0.
     * @return the interval from {@code number} s on, with all counters 0.
     */
    public static RunInterval of(final int number)
    {
        return of(number, RunPhase.MEASURE, false, 0, new Counts());
    }

    /**
     * @param number from 0.
     * @return the same interval, in the warm-up.
     */
    public static RunInterval ofWarmUp(final int number)
    {
        return of(number, RunPhase.WARM_UP, false, 0, new Counts());
    }

    /**
     * @param number from 0.
     * @param totals which are also the counts of the interval.
     */
    public static RunInterval of(
        final int number, final RunPhase phase, final boolean isLast, final long ratePerSecond, final Counts totals)
    {
        final long beginNs = number * NS_PER_S;
        final Histograms times = new Histograms();
        for (int i = 0; i <= number; i++)
        {
            times.of(Time.RESPONSE).recordValue(1_000_000L + 7_919L * i * i);
            times.of(Time.SERVICE).recordValue(900_000L);
            times.of(Time.SEND_DELAY).recordValue(100_000L + i);
            times.of(Time.RECEIVE_LATENESS).recordValue(20_000L + i);
            times.of(Time.CLIENT_PART).recordValueWithCount(1_000_000L + 7_919L * i * i, 120_000L + i);
        }
        times.of(Time.STALL).recordValue(2_000_000L);
        return new RunInterval(
            phase, isLast, 0, beginNs, beginNs + NS_PER_S, RunPhase.WARM_UP == phase ? 0 : NS_PER_S, ratePerSecond, -1, totals,
            totals, times, TimeRecorder.newHistogram(), times.of(Time.RESPONSE));
    }
}
