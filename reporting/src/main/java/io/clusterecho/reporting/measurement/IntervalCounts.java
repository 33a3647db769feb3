package io.clusterecho.reporting.measurement;

/** Counts of the newest interval, from the totals of {@link RunInterval}. For the thread that watches the run. */
public final class IntervalCounts
{
    private static final Counter[] COUNTERS = Counter.values();

    private final long[] totals = new long[COUNTERS.length];
    private final long[] counts = new long[COUNTERS.length];

    /** Take the next interval. */
    public void next(final RunInterval interval)
    {
        for (int i = 0; i < COUNTERS.length; i++)
        {
            final long total = interval.count(COUNTERS[i]);
            counts[i] = total - totals[i];
            totals[i] = total;
        }
    }

    /** Growth of a counter in the newest interval. */
    public long of(final Counter counter)
    {
        return counts[counter.ordinal()];
    }
}
