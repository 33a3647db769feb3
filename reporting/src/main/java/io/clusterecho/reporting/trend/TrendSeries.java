package io.clusterecho.reporting.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

import io.clusterecho.reporting.compare.Change.Outcome;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.confidence.LevelChanges;
import io.clusterecho.reporting.confidence.LevelShift;
import io.clusterecho.reporting.trend.TrendDocument.LevelChange;
import io.clusterecho.reporting.trend.TrendDocument.Value;
import io.clusterecho.statistics.NearestRank;

/**
 * A metric of a group over time.
 *
 * @param values  for each point of the group, null where it lacks the metric.
 */
record TrendSeries(Metric metric, List<Value> values, List<LevelChange> changes, int count)
{
    /** Accepted probability that a series without a change has any. */
    static final double CHANGE_ALPHA = 0.05;

    static TrendSeries of(final Metric metric, final List<TrendPoint> points)
    {
        final List<Value> values = new ArrayList<>();
        points.forEach((point) -> values.add(point.value(metric)));
        final int[] places = IntStream.range(0, values.size())
            .filter((index) -> null != values.get(index)).toArray();
        final double[] medians =
            values.stream().filter(Objects::nonNull).mapToDouble(Value::median).toArray();

        final List<Integer> indexes = LevelChanges.of(medians, CHANGE_ALPHA);
        final List<LevelChange> changes = new ArrayList<>();
        for (int i = 0; i < indexes.size(); i++)
        {
            final int from = 0 == i ? 0 : indexes.get(i - 1);
            final int to = i + 1 < indexes.size() ? indexes.get(i + 1) : medians.length;
            final double[] before = Arrays.copyOfRange(medians, from, indexes.get(i));
            final double[] after = Arrays.copyOfRange(medians, indexes.get(i), to);
            final LevelShift shift = LevelShift.of(before, after);
            changes.add(new LevelChange(
                places[indexes.get(i)], NearestRank.of(before, NearestRank.MEDIAN),
                NearestRank.of(after, NearestRank.MEDIAN), before.length, after.length, shift.share(), shift.low(), shift.high(),
                shift.confidence(), shift.share() > 0 == metric.isHigherBetter() ? Outcome.BETTER : Outcome.WORSE));
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
        final LevelChange last = changes.get(changes.size() - 1);
        final TrendPoint point = points.get(last.point());
        return String.format(
            Locale.ROOT, "%s %s by %s (%.0f%% bounds %s to %s) on %s with commit %s: %s over %d points, %s over the %d since%s",
            name, last.change() > 0 ? "rose" : "fell", percent(Math.abs(last.change())), 100 * last.confidence(),
            signed(last.low()), signed(last.high()), point.day(), point.commit(), metric.format(last.before()),
            last.beforePoints(), metric.format(last.after()), last.afterPoints(),
            Outcome.WORSE == last.outcome() ? "; that is worse" : "; that is better");
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
