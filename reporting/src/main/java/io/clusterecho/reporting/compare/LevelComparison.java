package io.clusterecho.reporting.compare;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Compares the newest results of a series with those of the level before them, by the test of {@link Comparison}.
 *
 * @param level  the results of the level, at least one.
 * @param points medians of the points of the level, at least one: one for each commit and day.
 * @param newest results, at least one.
 */
public record LevelComparison(Metric metric, List<JsonNode> level, double[] points, List<JsonNode> newest)
{
    /**
     * Compare several metrics, with Holm's correction over all of them.
     *
     * @param all  to compare, not empty.
     * @param plan whose settings apply; its metrics do not matter.
     * @return a change for each; unproven where there are too few results. A change is proven only if the newest median is also
     *         beyond the median of every point of the level, since what was the same for all results of a day counts in every
     *         one of them.
     */
    public static List<Change> of(final List<LevelComparison> all, final ComparisonPlan plan)
    {
        final double[] pValues = all.stream().mapToDouble((one) -> MannWhitney.pValue(
            one.levelSet().values(one.metric), one.newestSet().values(one.metric))).toArray();
        final double[] adjusted = Comparison.adjusted(pValues);
        return IntStream.range(0, all.size()).mapToObj((i) -> all.get(i).change(
            plan, all.get(i).isTooFew(plan.alpha(), all.size()), pValues[i], adjusted[i])).toList();
    }

    /**
     * Whether even results that do not overlap could not prove a change.
     *
     * @param alpha accepted probability of any false alarm.
     */
    public boolean isTooFew(final double alpha, final int count)
    {
        return MannWhitney.leastPValue(levelCount(), newestCount()) > alpha / count;
    }

    /** Number of starts that the results of the level are of; a result that names none has its own. */
    public int levelCount()
    {
        return levelSet().startCount();
    }

    /** The same of the newest results. */
    public int newestCount()
    {
        return newestSet().startCount();
    }

    /** Number of starts that the newest point needs for a verdict; -1 if the level has too few for any. */
    public int neededCount(final double alpha, final int count)
    {
        return IntStream.rangeClosed(1, MannWhitney.MAX_EXACT_COUNT)
            .filter((newestCount) -> MannWhitney.leastPValue(levelCount(), newestCount) <= alpha / count)
            .findFirst().orElse(-1);
    }

    private Change change(final ComparisonPlan plan, final boolean isTooFew, final double pValue, final double adjusted)
    {
        final Change change = Comparison.change(levelSet(), newestSet(), plan, isTooFew, metric, pValue, adjusted);
        final double median = change.b().median();
        final boolean isBeyond = Arrays.stream(points).allMatch((point) -> median > point) ||
            Arrays.stream(points).allMatch((point) -> median < point);
        return isBeyond || Change.Outcome.UNPROVEN == change.outcome() ? change : new Change(
            metric, change.a(), change.b(), change.share(), pValue, adjusted, Change.Outcome.UNPROVEN);
    }

    private static RunSet set(final String name, final List<JsonNode> documents)
    {
        return new RunSet(
            name, List.of(), documents.stream().map((document) -> new ComparedRun(Path.of(""), document)).toList(), List.of());
    }

    private RunSet levelSet()
    {
        return set("A", level);
    }

    private RunSet newestSet()
    {
        return set("B", newest);
    }
}
