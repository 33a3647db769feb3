package io.clusterecho.reporting.compare;

import java.util.List;

import io.clusterecho.statistics.NearestRank;

/**
 * How exactly runs know their own percentile, as an uncertainty of the median over them. Runs are the sample, so that their own
 * scatter is part of that between them; but few runs that happen to agree do not know it better than this.
 *
 * @param below of the median, in ns.
 * @param above of the median, in ns.
 */
record WithinRuns(double below, double above)
{
    static final WithinRuns UNKNOWN = new WithinRuns(0, 0);

    /** Standard error of a median, as a multiple of that of a mean: the root of half of pi, for a normal distribution. */
    private static final double MEDIAN_FACTOR = 1.2533;

    /** Unknown unless every run has bounds of the metric, which has a percentile. */
    static WithinRuns of(final RunSet set, final Metric metric)
    {
        final List<ComparedRun> runs = set.runs();
        final double[] below = new double[runs.size()];
        final double[] above = new double[runs.size()];
        for (int i = 0; i < runs.size(); i++)
        {
            final double[] bounds = metric.boundsIn(runs.get(i).manifest());
            if (null == bounds)
            {
                return UNKNOWN;
            }
            below[i] = metric.of(runs.get(i).manifest()) - bounds[0];
            above[i] = bounds[1] - metric.of(runs.get(i).manifest());
        }

        final double factor = 1 == set.startCount() ? 1 : MEDIAN_FACTOR / Math.sqrt(set.startCount());
        return new WithinRuns(
            factor * NearestRank.of(below, NearestRank.MEDIAN), factor * NearestRank.of(above, NearestRank.MEDIAN));
    }

    boolean isKnown()
    {
        return below + above > 0;
    }

    /** The interval, made at least as wide as these bounds. */
    MedianInterval widened(final MedianInterval interval)
    {
        return new MedianInterval(
            interval.median(), Math.min(interval.low(), interval.median() - below),
            Math.max(interval.high(), interval.median() + above), interval.confidence());
    }

    /** Whether two medians differ by no more than both sets of runs leave open. */
    static boolean isWithin(final double medianA, final WithinRuns a, final double medianB, final WithinRuns b)
    {
        final double open = medianB > medianA ? Math.hypot(a.above, b.below) : Math.hypot(a.below, b.above);
        return Math.abs(medianB - medianA) <= open;
    }
}
