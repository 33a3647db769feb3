package io.clusterecho.client.load;

/**
 * Intervals of a second each, with something to tell.
 */
public final class SampleInterval
{
    private static final long NS_PER_S = 1_000_000_000L;

    private SampleInterval()
    {
    }

    /**
     * An interval.
     *
     * @param number from 0.
     * @return the interval from {@code number} s on.
     */
    public static LoadInterval of(final int number)
    {
        final LoadInterval interval = new LoadInterval();
        interval.phase = Phase.MEASURE;
        interval.beginNs = number * NS_PER_S;
        interval.endNs = interval.beginNs + NS_PER_S;
        for (int i = 0; i <= number; i++)
        {
            interval.responseTimes.recordValue(1_000_000L + 7_919L * i * i);
            interval.serviceTimes.recordValue(900_000L);
            interval.sendDelays.recordValue(100_000L + i);
        }
        interval.stalls.recordValue(2_000_000L);
        return interval;
    }
}
