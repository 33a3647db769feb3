package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Whether the newest commit is worse than the level before it. The level of a metric is that of the points since its last
 * change, without the newest, and without the commit's earlier days while these are too few for a change to be found. Only groups
 * with results of the newest commit are judged.
 *
 * @param refusals  why the newest commit cannot be judged, a sentence each.
 */
@JsonPropertyOrder({ "outcome", "summary", "commit", "minEffect", "refusals", "metrics" })
record TrendGate(
    String commit, double minEffect, List<String> refusals, @JsonProperty("metrics") List<Judged> judged)
{
    /**
     * A judged metric. What is not known, as there is no level, is null.
     *
     * @param levelFromPoint index of the first point of the level that has the metric.
     * @param change         of the newest point against the level, as a share.
     * @param undecided      why it cannot be decided, or null if it can.
     * @param worse          how it is worse, or null if that is not proven.
     */
    record Judged(
        String group, String metric, Integer levelFromPoint, int levelPoints, int levelResults, int newestResults,
        MedianInterval level, MedianInterval newest, Double change, Double p, Double adjustedP, String outcome,
        String sentence, @JsonIgnore String undecided, @JsonIgnore String worse)
    {
    }

    /**
     * A metric to judge.
     *
     * @param from  index of the first point of the level that has the metric.
     * @param level and the newest point.
     */
    private record Open(TrendGroup group, Metric metric, int from, MetricComparison level)
    {
        static Open of(final TrendGroup group, final Metric metric)
        {
            final List<TrendPoint> earlier = group.before();
            final List<TrendSeries.LevelChange> changes = TrendSeries.of(metric, earlier).changes();
            final int from = changes.isEmpty() ? 0 : changes.get(changes.size() - 1).point();
            final List<TrendPoint> points = earlier.subList(from, earlier.size()).stream()
                .filter((point) -> !point.having(metric).isEmpty()).toList();
            // Results of earlier versions lack some metrics.
            final int first = group.points().indexOf(points.isEmpty() ? group.newest() : points.get(0));
            return new Open(group, metric, first, new MetricComparison(
                metric, new RunSet("A", points.stream().flatMap((point) -> point.having(metric).stream()).toList()),
                new RunSet("B", group.newest().having(metric)),
                points.stream().map((point) -> point.value(metric).median()).toList()));
        }

        boolean hasLevel()
        {
            return !level.a().runs().isEmpty();
        }

        /** @param change is null without a level. */
        Judged judged(final Change change, final int count, final double alpha)
        {
            final String undecided = undecided(count, alpha);
            final boolean isKnown = null != change;
            return new Judged(
                group.name(), metric.name(), isKnown ? from : null, level.points().size(), level.a().runs().size(),
                level.b().runs().size(), isKnown ? change.a() : null, isKnown ? change.b() : null,
                isKnown ? (Double)change.share() : null, isKnown ? (Double)change.pValue() : null,
                isKnown ? (Double)change.adjustedPValue() : null,
                null != undecided ? "UNDECIDED" : change.outcome().name(),
                metric.title() + ": " + (null == undecided ? sentence(change) : undecided), undecided,
                isKnown && change.isWorse() ? metric.title() + " changed by " + change.shareText() : null);
        }

        private String sentence(final Change change)
        {
            final TrendPoint since = group.points().get(from);
            return String.format(
                Locale.ROOT, "%s, %s in %s against %s in %s (%s) since %s (commit %s), p %.4f",
                change.isShown() ? change.sign() + ", " + change.shareText() : "no proven change that matters",
                metric.format(change.b().median()), Trend.plural(level.b().runs().size(), "result"),
                metric.format(change.a().median()), Trend.plural(level.a().runs().size(), "result"),
                Trend.plural(level.points().size(), "point"), since.day(), since.commit(), change.adjustedPValue());
        }

        private String undecided(final int count, final double alpha)
        {
            if (!hasLevel())
            {
                return "nothing to compare with, this is the first point";
            }
            if (!level.isTooFew(alpha, count))
            {
                return null;
            }
            final int needed = level.neededCount(alpha, count);
            return "too few starts to decide: " + level.b().startCount() + " of the newest commit against " +
                level.a().startCount() + " of the level" + (needed < 0 ? "" : "; " + needed +
                " of the newest commit are needed (" + Trend.plural(count, "metric") + " at a significance of " +
                Comparison.percent(alpha) + "% in all)");
        }
    }

    static TrendGate of(final List<TrendGroup> groups, final TrendResults found, final ComparisonPlan plan)
    {
        final ComparedRun newest = newestBegun(found.results());
        final String commit = newest.commit();
        final List<String> refusals = new ArrayList<>();
        if (!plan.isFailedAllowed())
        {
            found.unreadable().forEach((one) -> refusals.add(one + "; --allow-failed leaves it out"));
            found.results().stream()
                .filter((result) -> !result.isGood() && commit.equals(result.commit()) &&
                TrendPoint.dayOf(result).equals(TrendPoint.dayOf(newest)))
                .forEach((result) -> refusals.add(
                result + " is of the newest commit and " + result.verdict() +
                ": judging only its other results would keep the lucky ones; --allow-failed includes it"));
        }

        final List<Open> open = groups.stream().filter((group) -> commit.equals(group.newest().commit()))
            .flatMap((group) -> group.series().stream().map(TrendSeries::metric)
            .filter((metric) -> !group.newest().having(metric).isEmpty()).map((metric) -> Open.of(group, metric))).toList();
        final List<MetricComparison> levels = open.stream().filter(Open::hasLevel).map(Open::level).toList();
        final Iterator<Change> changes = MetricComparison.judged(levels, plan).iterator();
        return new TrendGate(commit, plan.minEffect(), refusals, open.stream()
            .map((one) -> one.judged(one.hasLevel() ? changes.next() : null, levels.size(), plan.alpha())).toList());
    }

    /**
     * The first result of the commit and day that began last, as the points of a group are ordered, of results by start: the last
     * of them may be of an older commit that is measured again, interleaved with it.
     */
    private static ComparedRun newestBegun(final List<ComparedRun> results)
    {
        final Map<List<Object>, ComparedRun> firsts = new LinkedHashMap<>();
        results.forEach((result) -> firsts.putIfAbsent(List.of(result.commit(), TrendPoint.dayOf(result)), result));
        return new ArrayList<>(firsts.values()).get(firsts.size() - 1);
    }

    private Stream<Judged> worse()
    {
        return judged.stream().filter((one) -> null != one.worse);
    }

    boolean isRegression()
    {
        return refusals.isEmpty() && worse().findAny().isPresent();
    }

    /** {@code REFUSED}, {@code REGRESSION}, {@code NO REGRESSION}, or {@code UNDECIDED} if no metric could be decided. */
    @JsonProperty
    String outcome()
    {
        return !refusals.isEmpty() ? "REFUSED" : isRegression() ? "REGRESSION" :
            judged.stream().allMatch((one) -> null != one.undecided) ? "UNDECIDED" : "NO REGRESSION";
    }

    @JsonProperty
    String summary()
    {
        final String effect = Comparison.percent(minEffect) + "%";
        return switch (outcome())
        {
            case "REFUSED" -> "REFUSED: commit " + commit + " cannot be judged";
            case "REGRESSION" -> "REGRESSION: " + worse().count() + " of " + judged.size() +
                " metrics of commit " + commit + " are worse than the level before it, by " + effect + " or more";
            case "UNDECIDED" -> "UNDECIDED: too few results to judge commit " + commit;
            default -> "no regression of " + effect + " or more is proven of commit " + commit;
        };
    }
}
