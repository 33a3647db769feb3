package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.clusterecho.statistics.NearestRank;

/**
 * A metric of two sets of runs: the one judge of {@code compare} and of the gate of {@code trend}.
 *
 * @param a      reference, at least one run.
 * @param b      compared with it, at least one run.
 * @param points medians of the days that A is of, beyond all of which a proven change is, since what was the same for all runs of
 *               a day counts in every one of them; empty if A and B were made in turn.
 */
record MetricComparison(Metric metric, RunSet a, RunSet b, List<Double> points)
{
    /** More starts than this are not asked for. */
    private static final int MAX_NEEDED = 50;

    /**
     * How exactly runs know their own percentile, as an uncertainty of the median over them. Runs are the sample, so that their
     * own scatter is part of that between them; but few runs that happen to agree do not know it better than this.
     *
     * @param below of the median, in ns.
     * @param above of the median, in ns.
     */
    private record WithinRuns(double below, double above)
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

    /** Compare several metrics, with Holm's correction over all of them; unproven where there are too few starts. */
    static List<Change> judged(final List<MetricComparison> all, final ComparisonPlan plan)
    {
        final double[] pValues = all.stream()
            .mapToDouble((one) -> MannWhitney.pValue(one.a.values(one.metric), one.b.values(one.metric))).toArray();
        final double[] adjusted = adjusted(pValues);
        final List<Change> changes = new ArrayList<>();
        for (int i = 0; i < pValues.length; i++)
        {
            changes.add(all.get(i).change(plan, all.size(), pValues[i], adjusted[i]));
        }
        return changes;
    }

    /**
     * Whether even starts that do not overlap could not prove a change.
     *
     * @param alpha accepted probability of any false alarm.
     */
    boolean isTooFew(final double alpha, final int count)
    {
        return isTooFew(a.startCount(), b.startCount(), alpha / count);
    }

    static boolean isTooFew(final int countA, final int countB, final double alpha)
    {
        return 0 == countA || 0 == countB || MannWhitney.leastPValue(countA, countB) > alpha;
    }

    /** Starts of B that a verdict takes, or -1 if A has too few for any. */
    int neededCount(final double alpha, final int count)
    {
        return IntStream.rangeClosed(1, MAX_NEEDED)
            .filter((countB) -> !isTooFew(a.startCount(), countB, alpha / count)).findFirst().orElse(-1);
    }

    private Change change(final ComparisonPlan plan, final int count, final double pValue, final double adjustedPValue)
    {
        final WithinRuns withinA = WithinRuns.of(a, metric);
        final WithinRuns withinB = WithinRuns.of(b, metric);
        final MedianInterval medianA = withinA.widened(MedianInterval.of(a.values(metric), 1 - plan.alpha()));
        final MedianInterval medianB = withinB.widened(MedianInterval.of(b.values(metric), 1 - plan.alpha()));
        final double median = medianB.median();
        final double share = medianA.median() == median ? 0 : median / medianA.median() - 1;
        // The test compares ranks; where the medians point the other way, it proves no change of them.
        final boolean isProven = !isTooFew(plan.alpha(), count) && adjustedPValue <= plan.alpha() &&
            Math.signum(share) * MannWhitney.direction(a.values(metric), b.values(metric)) >= 0 &&
            !(withinA.isKnown() && withinB.isKnown() && WithinRuns.isWithin(medianA.median(), withinA, median, withinB)) &&
            (points.stream().allMatch((point) -> median > point) || points.stream().allMatch((point) -> median < point));
        return new Change(metric, medianA, medianB, share, pValue, adjustedPValue, !isProven ? Change.Outcome.UNPROVEN :
            Math.abs(share) < plan.minEffect() ? Change.Outcome.SMALL :
            share > 0 == metric.isHigherBetter() ? Change.Outcome.BETTER : Change.Outcome.WORSE);
    }

    /**
     * Holm's method: the smallest of n p-values is multiplied by n, the next by n - 1, and so on, and none is less than the one
     * before. The chance of any false alarm is at most the significance level, however the metrics depend on one another.
     */
    private static double[] adjusted(final double[] pValues)
    {
        final int[] order = IntStream.range(0, pValues.length).boxed()
            .sorted((one, other) -> Double.compare(pValues[one], pValues[other])).mapToInt(Integer::intValue).toArray();
        final double[] adjusted = new double[pValues.length];
        double least = 0;
        for (int i = 0; i < order.length; i++)
        {
            least = Math.max(least, Math.min(1, (order.length - i) * pValues[order[i]]));
            adjusted[order[i]] = least;
        }

        return adjusted;
    }
}
