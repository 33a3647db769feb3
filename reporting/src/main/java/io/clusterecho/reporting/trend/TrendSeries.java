package io.clusterecho.reporting.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.confidence.LevelChanges;
import io.clusterecho.reporting.confidence.LevelShift;
import io.clusterecho.statistics.NearestRank;

/**
 * A metric of a group over time.
 *
 * @param values  for each point of the group, null where it lacks the metric.
 * @param changes of level, in order of time.
 */
record TrendSeries(Metric metric, List<TrendPoint.Value> values, List<Change> changes, int count)
{
    /** Accepted probability that a series without a change has any. */
    static final double CHANGE_ALPHA = 0.05;

    /**
     * A change of level.
     *
     * @param index       of the first point after it, in the group.
     * @param before      median of the points of the level before.
     * @param after       median of the points of the level after.
     * @param beforeCount of points of the level before.
     * @param afterCount  of points of the level after.
     * @param shift       with bounds.
     */
    record Change(int index, double before, double after, int beforeCount, int afterCount, LevelShift shift)
    {
        boolean isWorse(final Metric metric)
        {
            return shift.share() > 0 != metric.isHigherBetter();
        }
    }

    static TrendSeries of(final Metric metric, final List<TrendPoint> points)
    {
        final List<TrendPoint.Value> values = new ArrayList<>();
        points.forEach((point) -> values.add(point.value(metric)));
        final int[] places = IntStream.range(0, values.size())
            .filter((index) -> null != values.get(index)).toArray();
        final double[] medians =
            values.stream().filter(Objects::nonNull).mapToDouble(TrendPoint.Value::median).toArray();

        final List<Integer> indexes = LevelChanges.of(medians, CHANGE_ALPHA);
        final List<Change> changes = new ArrayList<>();
        for (int i = 0; i < indexes.size(); i++)
        {
            final int from = 0 == i ? 0 : indexes.get(i - 1);
            final int to = i + 1 < indexes.size() ? indexes.get(i + 1) : medians.length;
            final double[] before = Arrays.copyOfRange(medians, from, indexes.get(i));
            final double[] after = Arrays.copyOfRange(medians, indexes.get(i), to);
            changes.add(new Change(
                places[indexes.get(i)], NearestRank.of(before, NearestRank.MEDIAN),
                NearestRank.of(after, NearestRank.MEDIAN), before.length, after.length, LevelShift.of(before, after)));
        }
        return new TrendSeries(metric, values, changes, medians.length);
    }

    /** The last change, or why there is none, in a sentence. */
    String sentence(final List<TrendPoint> points)
    {
        final String name = name();
        final int needed = LevelChanges.minCount(CHANGE_ALPHA);
        if (changes.isEmpty())
        {
            return name + (count < needed ? ": too few points to find a change, " + count + " of at least " + needed :
                ": no change of level in " + count + " points");
        }
        final Change last = changes.get(changes.size() - 1);
        final TrendPoint point = points.get(last.index());
        return String.format(
            Locale.ROOT, "%s %s by %s (%.0f%% bounds %s to %s) on %s with commit %s: %s over %d points, %s over the %d since%s",
            name, last.shift().share() > 0 ? "rose" : "fell", percent(Math.abs(last.shift().share())),
            100 * last.shift().confidence(), signed(last.shift().low()), signed(last.shift().high()), point.day(),
            point.commit(), metric.format(last.before()), last.beforeCount(), metric.format(last.after()), last.afterCount(),
            last.isWorse(metric) ? "; that is worse" : "; that is better");
    }

    /** What is measured, with the percentile. */
    String name()
    {
        final String label = metric.name().replaceFirst("^(service|delay)\\.|^(rate|cpu|max-rate|outage)$", "");
        return (metric.kind() + " " + label).strip();
    }

    private static String percent(final double share)
    {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    private static String signed(final double share)
    {
        return String.format(Locale.ROOT, "%+.1f%%", 100 * share);
    }
}
