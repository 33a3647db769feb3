package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.compare.TrendGroup.LevelChange;
import io.clusterecho.reporting.compare.TrendGroup.Point;
import io.clusterecho.text.Lines;

/**
 * Whether the newest commit is worse than the level before it. The level of a metric is that of the points since its last
 * change, without the newest, and without the commit's earlier days while these are too few for a change to be found. Only groups
 * with results of the newest commit are judged, and only metrics that earlier points have.
 *
 * @param refusals  why the newest commit cannot be judged, a sentence each.
 */
@JsonPropertyOrder({ "outcome", "summary", "commit", "minEffect", "refusals", "metrics" })
record TrendGate(
    String commit, double minEffect, List<String> refusals, @JsonProperty("metrics") List<Judged> judged)
{
    /**
     * A judged metric.
     *
     * @param change    of the newest point, B, against the level, A.
     * @param undecided why it cannot be decided, or null if it can.
     */
    record Judged(String group, @JsonUnwrapped Change change, String sentence, @JsonIgnore String undecided)
    {
        /** How it is worse, or null if that is not proven. */
        String worse()
        {
            return change.isWorse() ? change.metric().title() + " changed by " + change.shareText() : null;
        }
    }

    /** The level of a metric, by its points, and the newest point to judge. */
    private record Level(TrendGroup group, List<Point> points, Change.Pair pair)
    {
        static Level of(final TrendGroup group, final Metric metric)
        {
            final List<Point> earlier = group.before();
            final List<LevelChange> changes = TrendGroup.Series.of(metric, earlier).changes();
            // Results of earlier versions lack some metrics.
            final List<Point> points = earlier.stream().skip(changes.isEmpty() ? 0 : changes.get(changes.size() - 1).point())
                .filter((point) -> !point.having(metric).isEmpty()).toList();
            return new Level(group, points, new Change.Pair(
                metric, new RunSet("A", points.stream().flatMap((point) -> point.having(metric).stream()).toList()),
                new RunSet("B", group.newest().having(metric)),
                points.stream().map((point) -> point.value(metric).median()).toList()));
        }

        Judged judged(final Change change, final int count, final double alpha)
        {
            final Metric metric = change.metric();
            final int newest = pair.b().startCount();
            final int before = pair.a().startCount();
            final String undecided = !Change.isTooFew(before, newest, alpha / count) ? null :
                "too few starts to decide: " + newest + " of the newest commit against " + before + " of the level";
            final String sentence = null != undecided ? undecided : Lines.text(
                "%s, %s in %s against %s in %s (%s) since %s (commit %s), p %.4f",
                change.isShown() ? change.sign() + ", " + change.shareText() : "no proven change that matters",
                metric.format(change.b().median()), Lines.plural(pair.b().runs().size(), "result"),
                metric.format(change.a().median()), Lines.plural(pair.a().runs().size(), "result"),
                Lines.plural(points.size(), "point"), points.get(0).day(), points.get(0).commit(), change.adjustedPValue());
            return new Judged(group.name(), change, metric.title() + ": " + sentence, undecided);
        }
    }

    static TrendGate of(final List<TrendGroup> groups, final TrendResults found, final ComparisonPlan plan)
    {
        // Not the last result, which may be of an older commit that is measured again, interleaved with the newest.
        final List<List<Object>> begun = found.results().stream().map(ComparedRun::commitAndDay).distinct().toList();
        final List<Object> newest = begun.get(begun.size() - 1);
        final String commit = (String)newest.get(0);
        final List<String> refusals = new ArrayList<>();
        if (!plan.isFailedAllowed())
        {
            found.unreadable().forEach((one) -> refusals.add(one + "; --allow-failed leaves it out"));
            found.results().stream().filter((result) -> !result.isGood() && newest.equals(result.commitAndDay()))
                .forEach((result) -> refusals.add(
                result + " is of the newest commit and " + result.verdict() +
                ": judging only its other results would keep the lucky ones; --allow-failed includes it"));
        }
        final List<Level> levels = groups.stream().filter((group) -> commit.equals(group.newest().commit()))
            .flatMap((group) -> group.series().stream().map(TrendGroup.Series::metric)
            .filter((metric) -> !group.newest().having(metric).isEmpty()).map((metric) -> Level.of(group, metric)))
            .filter((level) -> !level.points.isEmpty()).toList();
        final Iterator<Change> changes =
            Change.judged(levels.stream().map(Level::pair).toList(), plan).iterator();
        return new TrendGate(
            commit, plan.minEffect(), refusals,
            levels.stream().map((level) -> level.judged(changes.next(), levels.size(), plan.alpha())).toList());
    }

    private Stream<Judged> worse()
    {
        return judged.stream().filter((one) -> null != one.worse());
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
