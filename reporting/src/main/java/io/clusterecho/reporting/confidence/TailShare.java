package io.clusterecho.reporting.confidence;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.function.ToDoubleFunction;

import org.HdrHistogram.Histogram;

/**
 * The share of a part in the time of the slowest 1% of a run's messages, and its scatter over the intervals. Of the bucket in
 * which the 1% begins, as much counts as completes it: on a cliff of the times, too, these are 1% of the messages.
 */
public final class TailShare
{
    private static final double TAIL = 0.01;

    private final long cutNs;
    private final double ofCut;
    private final double expectedCount;
    private final List<Sums> intervals = new ArrayList<>();

    /**
     * Time and part of an interval's messages in the tail, their count, and that of all; count and part of those at its begin.
     */
    private record Sums(double timeNs, double partNs, double count, double total, double cutCount, double cutPartNs)
    {
    }

    /** @param all times of all intervals, at least one. */
    public TailShare(final Histogram all)
    {
        cutNs = all.getValueAtPercentile(100 * (1 - TAIL));
        expectedCount = TAIL * all.getTotalCount();
        final double beyond = all.getTotalCount() - all.getCountBetweenValues(0, cutNs);
        ofCut = Math.max(0, Math.min(1, (expectedCount - beyond) / all.getCountAtValue(cutNs)));
    }

    /** Add the messages of an interval, by their time, and the part of each time as a sum; intervals without any do not count. */
    public void add(final Histogram times, final Histogram parts)
    {
        if (times.getTotalCount() > 0)
        {
            intervals.add(new Sums(
                sum(times, times::medianEquivalentValue), sum(parts, (valueNs) -> 1), sum(times, (valueNs) -> 1),
                times.getTotalCount(), times.getCountAtValue(cutNs), parts.getCountAtValue(cutNs)));
        }
    }

    /** Only from the cut on: all values below take several times as long, in the thread that watches a run. */
    private double sum(final Histogram counts, final LongToDoubleFunction weight)
    {
        double sum = counts.getCountAtValue(cutNs) * ofCut * weight.applyAsDouble(cutNs);
        final long maxNs = counts.getMaxValue();
        for (long valueNs = counts.nextNonEquivalentValue(cutNs); valueNs <= maxNs;
            valueNs = counts.nextNonEquivalentValue(valueNs))
        {
            sum += counts.getCountAtValue(valueNs) * weight.applyAsDouble(valueNs);
        }
        return sum;
    }

    private double sum(final ToDoubleFunction<Sums> of)
    {
        return intervals.stream().mapToDouble(of).sum();
    }

    /** Time of the slowest 1%, in ns. */
    public double timeNs()
    {
        return sum(Sums::timeNs);
    }

    /** Part of it, in ns. */
    public double partNs()
    {
        return sum(Sums::partNs);
    }

    /** Messages of the slowest 1%. */
    public double count()
    {
        return sum(Sums::count);
    }

    /** Whether the intervals have all of the slowest 1%, and these took any time. */
    public boolean isComplete()
    {
        return Math.abs(count() - expectedCount) < 0.5 && timeNs() > 0;
    }

    /** Share of the part, from 0 to 1; 0 without any time. */
    public double share()
    {
        return Math.min(1, partNs() / Math.max(1, timeNs()));
    }

    /** Half of the width of the bounds of the share, with 95% confidence, which include the scatter of where the tail begins. */
    public double halfWidth()
    {
        final double share = share();
        final double atCutNs = sum(Sums::cutPartNs) / sum(Sums::cutCount) - share * cutNs;
        return PercentileBounds.halfWidth(intervals.stream().mapToDouble((sums) ->
            sums.partNs - share * sums.timeNs - atCutNs * (sums.count - TAIL * sums.total)).toArray()) / timeNs();
    }

    /** Why the scatter is not known, as the end of a sentence; null if it is. */
    public String missing()
    {
        return
            intervals.size() < PercentileBounds.MIN_INTERVAL_COUNT ?
            "the measured window has " + intervals.size() + " intervals, fewer than " + PercentileBounds.MIN_INTERVAL_COUNT :
            count() < PercentileBounds.MIN_INDEPENDENT_COUNT ?
            "the slowest 1% are fewer than " + PercentileBounds.MIN_INDEPENDENT_COUNT + " messages" :
            timeNs() * timeNs() / sum((sums) -> sums.timeNs * sums.timeNs) < PercentileBounds.MIN_SCATTERED_COUNT ?
            "most of the slow time is that of fewer than " + PercentileBounds.MIN_SCATTERED_COUNT + " intervals" : null;
    }
}
