package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.clusterecho.reporting.confidence.LevelChanges;
import io.clusterecho.reporting.confidence.LevelShift;
import io.clusterecho.statistics.NearestRank;

/**
 * A metric of a group over time.
 *
 * @param values   for each point of the group, null where it lacks the metric.
 * @param sentence about the last change, or why there is none.
 */
record TrendSeries(
    Metric metric, String name, String unit, boolean higherIsBetter,
    @JsonInclude(content = JsonInclude.Include.ALWAYS) List<TrendPoint.Value> values, List<LevelChange> changes,
    String sentence)
{
    /** Accepted probability that a series without a change has any. */
    static final double CHANGE_ALPHA = 0.05;

    /**
     * A change of level.
     *
     * @param point  the first after it, by its index in the group.
     * @param before median of the points of the level before.
     * @param change with bounds, as a share.
     */
    record LevelChange(
        int point, double before, double after, int beforePoints, int afterPoints, double change, double low, double high,
        double confidence, Change.Outcome outcome)
    {
    }

    static TrendSeries of(final Metric metric, final List<TrendPoint> points)
    {
        final List<TrendPoint.Value> values = new ArrayList<>();
        points.forEach((point) -> values.add(point.value(metric)));
        final int[] places = IntStream.range(0, values.size()).filter((index) -> null != values.get(index)).toArray();
        final double[] medians =
            values.stream().filter(Objects::nonNull).mapToDouble(TrendPoint.Value::median).toArray();

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
                shift.confidence(),
                shift.share() > 0 == metric.isHigherBetter() ? Change.Outcome.BETTER : Change.Outcome.WORSE));
        }
        return new TrendSeries(
            metric, metric.title(), metric.unit(), metric.isHigherBetter(), values, changes,
            metric.title() + sentence(metric, points, changes, medians.length));
    }

    private static String sentence(
        final Metric metric, final List<TrendPoint> points, final List<LevelChange> changes, final int count)
    {
        final int needed = LevelChanges.minCount(CHANGE_ALPHA);
        if (changes.isEmpty())
        {
            return count < needed ? ": too few points to find a change, " + count + " of at least " + needed :
                ": no change of level in " + count + " points";
        }
        final LevelChange last = changes.get(changes.size() - 1);
        final TrendPoint point = points.get(last.point);
        return String.format(
            Locale.ROOT, " %s by %.1f%% (%.0f%% bounds %+.1f%% to %+.1f%%) on %s with commit %s: %s over %d points, %s over " +
            "the %d since; that is %s", last.change > 0 ? "rose" : "fell", 100 * Math.abs(last.change), 100 * last.confidence,
            100 * last.low, 100 * last.high, point.day(), point.commit(), metric.format(last.before), last.beforePoints,
            metric.format(last.after), last.afterPoints, Change.Outcome.WORSE == last.outcome ? "worse" : "better");
    }

    boolean isKnown()
    {
        return values.stream().anyMatch(Objects::nonNull);
    }
}
