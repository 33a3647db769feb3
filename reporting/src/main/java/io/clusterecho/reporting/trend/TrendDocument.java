package io.clusterecho.reporting.trend;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.clusterecho.reporting.compare.Change;
import io.clusterecho.reporting.compare.MedianInterval;

/** A record over time: what {@code trend --json} prints. */
public record TrendDocument(
    String format, String summary, double changeAlpha, List<Group> groups, List<String> warnings, List<String> notes, Gate gate)
{
    /** Name and version of the format; the version is raised when a field changes its meaning or is removed. */
    public static final String FORMAT = "cluster-echo-trend/1";

    /** Comparable results. */
    public record Group(String name, String kind, Map<String, String> conditions, List<Point> points, List<Series> series)
    {
        static Group of(final TrendGroup group)
        {
            return new Group(
                group.name(), group.kind().word(), group.conditions(), group.points().stream().map(Point::of).toList(),
                group.series().stream().map((one) -> Series.of(one, group)).toList());
        }
    }

    /** A commit on a day. */
    public record Point(String commit, String day, String start, List<String> results)
    {
        static Point of(final TrendPoint point)
        {
            return new Point(
                point.commit(), point.day().toString(), point.start().toString(),
                point.results().stream().map((result) -> result.folder().toString()).toList());
        }
    }

    /**
     * A metric of a point.
     *
     * @param median of the results, by the nearest rank.
     * @param low    smallest of several, or lower 95% bound of a single one where it has bounds.
     * @param high   largest of several, or upper bound.
     */
    public record Value(double median, double low, double high, int count)
    {
    }

    /**
     * A change of level.
     *
     * @param point  the first after it, by its index in the group.
     * @param before median of the points of the level before.
     * @param change with bounds, as a share.
     */
    public record LevelChange(
        int point, double before, double after, int beforePoints, int afterPoints, double change, double low, double high,
        double confidence, Change.Outcome outcome)
    {
    }

    /** A metric over time; a value is null where a point does not have it. */
    public record Series(
        String metric, String name, String unit, boolean higherIsBetter,
        @JsonInclude(content = JsonInclude.Include.ALWAYS) List<Value> values, List<LevelChange> changes, String sentence)
    {
        static Series of(final TrendSeries series, final TrendGroup group)
        {
            return new Series(
                series.metric().name(), series.name(), series.metric().unit(), series.metric().isHigherBetter(),
                series.values(),
                series.changes(),
                series.sentence(group.points()));
        }
    }

    /** The judgement of the newest commit. */
    public record Gate(
        String outcome, String summary, String commit, double minEffect, List<String> refusals, List<Judged> metrics)
    {
        static Gate of(final TrendGate gate)
        {
            return null == gate ? null : new Gate(
                gate.outcome(), gate.summary(), gate.commit(), gate.minEffect(), gate.refusals(),
                gate.judged().stream().map(Judged::of).toList());
        }
    }

    /** A judged metric; what is not known is left out. */
    public record Judged(
        String group, String metric, Integer levelFromPoint, int levelPoints, int levelResults, int newestResults,
        MedianInterval level, MedianInterval newest, Double change, Double p, Double adjustedP, String outcome, String sentence)
    {
        static Judged of(final TrendGate.Judged judged)
        {
            final Change change = judged.change();
            final boolean isKnown = null != change;
            return new Judged(
                judged.group().name(), judged.series().metric().name(), isKnown ? judged.from() : null, judged.pointCount(),
                judged.levelCount(), judged.newestCount(), isKnown ? change.a() : null, isKnown ? change.b() : null,
                isKnown ? (Double)change.share() : null, isKnown ? (Double)change.pValue() : null,
                isKnown ? (Double)change.adjustedPValue() : null,
                null != judged.undecided() ? "UNDECIDED" : Objects.requireNonNull(change).outcome().name(), judged.sentence());
        }
    }

    public static TrendDocument of(final Trend trend)
    {
        return new TrendDocument(
            FORMAT, trend.summary(), TrendSeries.CHANGE_ALPHA, trend.groups().stream().map(Group::of).toList(), trend.warnings(),
            trend.notes(), Gate.of(trend.gate()));
    }
}
