package io.clusterecho.reporting.trend;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.clusterecho.reporting.compare.Change;
import io.clusterecho.reporting.compare.ComparedRun;
import io.clusterecho.reporting.compare.Comparison;
import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.MetricComparison;
import io.clusterecho.reporting.compare.RunSet;

/**
 * Whether the newest commit is worse than the level before it. The level of a metric is that of the points since its last
 * change, without the newest, and without the commit's earlier days while these are too few for a change to be found. Only groups
 * with results of the newest commit are judged.
 *
 * @param judged    one for each metric of each of these groups.
 * @param refusals  why the newest commit cannot be judged, a sentence each.
 */
public record TrendGate(String commit, List<Judged> judged, List<String> refusals, double minEffect)
{
    /**
     * A judged metric.
     *
     * @param from       index of the first point of the level that has the metric.
     * @param level      and the newest point.
     * @param change     of the newest point against the level, or null if there is no level.
     * @param undecided  why it cannot be decided, or null if it can.
     */
    record Judged(
        TrendGroup group, TrendSeries series, int from, MetricComparison level, Change change, String undecided)
    {
        int pointCount()
        {
            return level.points().size();
        }

        int levelCount()
        {
            return level.a().runs().size();
        }

        boolean isWorse()
        {
            return null != change && Change.Outcome.WORSE == change.outcome();
        }

        String sentence()
        {
            if (null != undecided)
            {
                return series.name() + ": " + undecided;
            }
            final TrendPoint since = group.points().get(from);
            final boolean isShown = isWorse() || Change.Outcome.BETTER == change.outcome();
            return String.format(
                Locale.ROOT, "%s: %s, %s in %s against %s in %s (%s) since %s (commit %s), p %.4f",
                series.name(), isShown ? change.sign() + ", " + change.shareText() : "no proven change that matters",
                change.metric().format(change.b().median()), Trend.plural(newestCount(), "result"),
                change.metric().format(change.a().median()), Trend.plural(levelCount(), "result"),
                Trend.plural(pointCount(), "point"), since.day(), since.commit(), change.adjustedPValue());
        }

        int newestCount()
        {
            return group.newest().having(series.metric()).size();
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
                result.folder() + " is of the newest commit and " + result.verdict() +
                ": judging only its other results would keep the lucky ones; --allow-failed includes it"));
        }

        final List<Judged> open = new ArrayList<>();
        groups.stream().filter((group) -> commit.equals(group.newest().commit()))
            .forEach((group) -> group.series().forEach((series) -> add(group, series, open)));
        return new TrendGate(commit, judged(open, plan), refusals, plan.minEffect());
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

    private static void add(final TrendGroup group, final TrendSeries series, final List<Judged> open)
    {
        final List<TrendPoint> earlier = group.before();
        final TrendSeries before = TrendSeries.of(series.metric(), earlier);
        final List<ComparedRun> newest = group.newest().having(series.metric());
        if (newest.isEmpty())
        {
            return;
        }
        final int from = before.changes().isEmpty() ? 0 : before.changes().get(before.changes().size() - 1).point();
        final List<TrendPoint> points = earlier.subList(from, earlier.size()).stream()
            .filter((point) -> !point.having(series.metric()).isEmpty()).toList();
        final List<ComparedRun> level =
            points.stream().flatMap((point) -> point.having(series.metric()).stream()).toList();
        // Results of earlier versions lack some metrics.
        final int first = group.points().indexOf(points.isEmpty() ? group.newest() : points.get(0));
        open.add(new Judged(group, series, first, new MetricComparison(
            series.metric(), new RunSet("A", List.of(), level, List.of()), new RunSet("B", List.of(), newest, List.of()),
            points.stream().map((point) -> point.value(series.metric()).median()).toList()), null, null));
    }

    private static List<Judged> judged(final List<Judged> open, final ComparisonPlan plan)
    {
        final List<MetricComparison> levels =
            open.stream().map(Judged::level).filter((level) -> !level.a().runs().isEmpty()).toList();
        final Iterator<Change> changes = MetricComparison.judged(levels, plan).iterator();
        return open.stream().map((one) -> new Judged(
            one.group, one.series, one.from, one.level, 0 == one.levelCount() ? null : changes.next(),
            undecided(one.level, levels.size(), plan.alpha()))).toList();
    }

    private static String undecided(final MetricComparison level, final int count, final double alpha)
    {
        if (level.a().runs().isEmpty())
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

    boolean isRegression()
    {
        return refusals.isEmpty() && judged.stream().anyMatch(Judged::isWorse);
    }

    /** {@code REFUSED}, {@code REGRESSION}, {@code NO REGRESSION}, or {@code UNDECIDED} if no metric could be decided. */
    String outcome()
    {
        return !refusals.isEmpty() ? "REFUSED" : isRegression() ? "REGRESSION" :
            judged.stream().allMatch((one) -> null != one.undecided()) ? "UNDECIDED" : "NO REGRESSION";
    }

    String summary()
    {
        final String effect = Comparison.percent(minEffect) + "%";
        return switch (outcome())
        {
            case "REFUSED" -> "REFUSED: commit " + commit + " cannot be judged";
            case "REGRESSION" -> "REGRESSION: " + judged.stream().filter(Judged::isWorse).count() + " of " + judged.size() +
                " metrics of commit " + commit + " are worse than the level before it, by " + effect + " or more";
            case "UNDECIDED" -> "UNDECIDED: too few results to judge commit " + commit;
            default -> "no regression of " + effect + " or more is proven of commit " + commit;
        };
    }
}
