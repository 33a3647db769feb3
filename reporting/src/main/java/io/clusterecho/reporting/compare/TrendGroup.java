package io.clusterecho.reporting.compare;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/**
 * Results of one kind over time that were made under comparable conditions.
 *
 * @param name       kind, and the conditions that distinguish it from the other groups of its kind.
 * @param conditions that differ among the groups of its kind, by path.
 * @param points     by start, at least one.
 */
record TrendGroup(
    String name, String kind, SortedMap<String, String> conditions, List<Point> points, List<Series> series)
{
    /** Accepted probability that a series without a change has any. */
    static final double CHANGE_ALPHA = 0.05;

    /**
     * The results of a commit on a day, in UTC: repeats of one another.
     *
     * @param results by start, at least one.
     */
    @JsonPropertyOrder({ "commit", "day", "start", "results" })
    record Point(List<ComparedRun> results)
    {
        @JsonProperty
        String commit()
        {
            return results.get(0).commit();
        }

        @JsonProperty
        @JsonSerialize(using = ToStringSerializer.class)
        LocalDate day()
        {
            return results.get(0).day();
        }

        @JsonProperty
        @JsonSerialize(using = ToStringSerializer.class)
        Instant start()
        {
            return results.get(0).start();
        }

        /** Results with a metric, without rates of 0, of searches without an answer, and times of 0, of no message. */
        List<ComparedRun> having(final Metric metric)
        {
            return results.stream()
                .filter((result) -> metric.isIn(result) && metric.of(result) > 0).toList();
        }

        /** A metric of the point, or null if no result has it. */
        Value value(final Metric metric)
        {
            final List<ComparedRun> having = having(metric);
            if (having.isEmpty())
            {
                return null;
            }
            final double[] values = having.stream().mapToDouble(metric::of).sorted().toArray();
            final double[] bounds = 1 == values.length ? metric.boundsIn(having.get(0)) : null;
            return new Value(
                NearestRank.of(values, NearestRank.MEDIAN), null == bounds ? values[0] : bounds[0],
                null == bounds ? values[values.length - 1] : bounds[1], values.length);
        }
    }

    /**
     * A metric of a point.
     *
     * @param median of the results, by the nearest rank.
     * @param low    smallest of several, or lower 95% bound of a single one where it has bounds.
     * @param high   largest of several, or upper bound.
     */
    record Value(double median, double low, double high, int count)
    {
    }

    /**
     * A change of level.
     *
     * @param point  the first after it, by its index in the group.
     * @param before median of the points of the level before.
     * @param change of the median, as a share.
     */
    record LevelChange(
        int point, double before, double after, int beforePoints, int afterPoints, double change, Change.Outcome outcome)
    {
    }

    /**
     * A metric of a group over time.
     *
     * @param values   for each point of the group, null where it lacks the metric.
     * @param sentence about the last change, or why there is none.
     */
    record Series(
        Metric metric, String name, String unit, boolean higherIsBetter,
        @JsonInclude(content = JsonInclude.Include.ALWAYS) List<Value> values, List<LevelChange> changes, String sentence)
    {
        static Series of(final Metric metric, final List<Point> points)
        {
            final List<Value> values = new ArrayList<>();
            points.forEach((point) -> values.add(point.value(metric)));
            final List<LevelChange> changes = changes(metric, values);
            return new Series(
                metric, metric.title(), metric.unit(), metric.isHigherBetter(), values, changes,
                metric.title() + sentence(metric, points, changes, values.stream().filter(Objects::nonNull).toList()));
        }

        private static List<LevelChange> changes(final Metric metric, final List<Value> values)
        {
            final int[] places = IntStream.range(0, values.size()).filter((index) -> null != values.get(index)).toArray();
            final double[] medians = Arrays.stream(places).mapToDouble((index) -> values.get(index).median()).toArray();
            final List<Integer> indexes = LevelChanges.of(medians, CHANGE_ALPHA);
            final List<LevelChange> changes = new ArrayList<>();
            for (int i = 0; i < indexes.size(); i++)
            {
                final int at = indexes.get(i);
                final int from = 0 == i ? 0 : indexes.get(i - 1);
                final int to = i + 1 < indexes.size() ? indexes.get(i + 1) : medians.length;
                final double before = NearestRank.of(Arrays.copyOfRange(medians, from, at), NearestRank.MEDIAN);
                final double after = NearestRank.of(Arrays.copyOfRange(medians, at, to), NearestRank.MEDIAN);
                changes.add(new LevelChange(
                    places[at], before, after, at - from, to - at, after / before - 1,
                    after > before == metric.isHigherBetter() ? Change.Outcome.BETTER : Change.Outcome.WORSE));
            }
            return changes;
        }

        private static String sentence(
            final Metric metric, final List<Point> points, final List<LevelChange> changes, final List<Value> known)
        {
            final int needed = LevelChanges.minCount(CHANGE_ALPHA);
            final int count = known.size();
            final String newest = 0 == count ? "" : "; the newest " + metric.format(known.get(count - 1).median());
            if (changes.isEmpty())
            {
                return (count < needed ? ": too few points to find a change, " + count + " of at least " + needed :
                    ": no change of level in " + count + " points") + newest;
            }
            final LevelChange last = changes.get(changes.size() - 1);
            final Point point = points.get(last.point);
            return Lines.text(
                " %s by %.1f%% on %s with commit %s: %s over %d points, %s over the %d since; that is %s",
                last.change > 0 ? "rose" : "fell", 100 * Math.abs(last.change), point.day(), point.commit(),
                metric.format(last.before), last.beforePoints, metric.format(last.after), last.afterPoints,
                Change.Outcome.WORSE == last.outcome ? "worse" : "better") + newest;
        }
    }

    static TrendGroup of(
        final String name,
        final DocumentKind kind,
        final SortedMap<String, String> conditions,
        final List<ComparedRun> results,
        final List<Metric> metrics)
    {
        final List<Point> points = results.stream()
            .collect(Collectors.groupingBy(ComparedRun::commitAndDay, LinkedHashMap::new, Collectors.toList()))
            .values().stream().map(Point::new).toList();
        return new TrendGroup(
            name, kind.word(), conditions, points, metrics.stream().map((metric) -> Series.of(metric, points))
            .filter((series) -> series.values.stream().anyMatch(Objects::nonNull)).toList());
    }

    Point newest()
    {
        return points.get(points.size() - 1);
    }

    /**
     * The points with which the newest is compared: those before it, and of its own commit only if they are enough to be found as
     * a change, or all there is. Otherwise a commit would hide its regression from its second day on.
     */
    List<Point> before()
    {
        final List<Point> earlier = points.subList(0, points.size() - 1);
        final List<Point> others = earlier.stream().filter((point) -> !point.commit().equals(newest().commit())).toList();
        return others.isEmpty() || earlier.size() - others.size() >= LevelChanges.MIN_LEVEL_COUNT ? earlier : others;
    }
}
