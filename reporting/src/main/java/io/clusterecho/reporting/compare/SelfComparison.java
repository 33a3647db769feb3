package io.clusterecho.reporting.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.confidence.Ranks;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.statistics.ShareInterval;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/**
 * An A/A test: the starts of one set-up are split into halves again and again, and {@link Change} judges each pair. It
 * shows how often that set-up is called different from itself, and how far its halves are apart by chance.
 *
 * @param runs        in the order of their starts.
 * @param splits      made: all there are, or as many drawn at random.
 * @param alarms      splits whose halves differ in a metric, by the minimum effect or more.
 * @param alarmShare  alarms / splits.
 * @param alarmShare95 its binomial bounds.
 * @param refusals    why there is no answer, a sentence each; empty if there is one.
 */
public record SelfComparison(
    String format, String summary, @JsonUnwrapped ComparisonPlan plan, int starts, List<ComparedRun> runs, int splits,
    boolean isEachSplit, int alarms, Double alarmShare, ShareInterval alarmShare95, List<String> refusals,
    List<String> notes, List<OfMetric> metrics)
{
    private static final String FORMAT = "cluster-echo-aa/1";
    private static final int MAX_SPLIT_COUNT = 2_000;
    private static final double USUAL = 95;

    /**
     * A metric of all splits.
     *
     * @param change95 change between the halves that is not exceeded in 95% of the splits, as a share: what chance makes.
     */
    public record OfMetric(String metric, int alarms, double change95)
    {
    }

    /** Split the starts in folders; rejects a folder without runs, a run that cannot be read, and an unknown key. */
    public static SelfComparison of(final List<Path> folders, final ComparisonPlan plan)
    {
        return of(RunSet.find("A/A", folders), plan);
    }

    static SelfComparison of(final RunSet set, final ComparisonPlan asked)
    {
        final ComparisonPlan plan = asked.statedIn(set);
        final List<List<ComparedRun>> starts = List.copyOf(set.starts());
        final int half = starts.size() / 2;
        final List<String> refusals = Comparison.refusals(set, new RunSet("", List.of()), plan);
        if (refusals.isEmpty() && Change.isTooFew(half, starts.size() - half, plan.strictestAlpha()))
        {
            refusals.add("too few starts of the members: " + starts.size() + ", and halves need at least " +
                MannWhitney.leastCount(plan.strictestAlpha()) + " each");
        }
        final List<BitSet> splits = refusals.isEmpty() ? splits(starts.size(), half) : List.of();
        final List<List<Change>> changes = splits.stream().map((split) -> Comparison.judged(
            half(set, starts, split, true), half(set, starts, split, false), plan)).toList();
        final int alarmCount = (int)changes.stream().filter((all) -> all.stream().anyMatch(Change::isShown)).count();
        final List<String> notes = new ArrayList<>();
        Comparison.addNotes(notes, set, !refusals.isEmpty());
        final ShareInterval bounds = splits.isEmpty() ? null : ShareInterval.of(alarmCount, splits.size());
        return new SelfComparison(
            FORMAT, splits.isEmpty() ? "refused: these runs cannot be compared with one another" : Lines.text(
            "%.1f%% false alarms (95%% bounds %.1f%% to %.1f%%): %d of %,d splits into halves, for %s%% accepted",
            100.0 * alarmCount / splits.size(), 100 * bounds.low(), 100 * bounds.high(), alarmCount, splits.size(),
            Comparison.percent(plan.alpha())), plan, starts.size(), set.runs(), splits.size(),
            splits.size() < MAX_SPLIT_COUNT, alarmCount, splits.isEmpty() ? null : (double)alarmCount / splits.size(), bounds,
            refusals, notes, splits.isEmpty() ? List.of() :
            IntStream.range(0, plan.metrics().size())
            .mapToObj((i) -> ofMetric(changes.stream().map((all) -> all.get(i)).toList())).toList());
    }

    private static OfMetric ofMetric(final List<Change> changes)
    {
        return new OfMetric(
            changes.get(0).metric().name(), (int)changes.stream().filter(Change::isShown).count(), NearestRank.of(
            changes.stream().mapToDouble((change) -> Math.abs(change.share())).toArray(), USUAL));
    }

    private static RunSet half(
        final RunSet set, final List<List<ComparedRun>> starts, final BitSet split, final boolean isFirst)
    {
        return new RunSet(set.name(), IntStream.range(0, starts.size()).filter((i) -> isFirst == split.get(i)).boxed()
            .flatMap((i) -> starts.get(i).stream()).toList());
    }

    /** The ways to choose half of the starts; where the halves are equal, each pair once, with the last start in the second. */
    private static List<BitSet> splits(final int count, final int half)
    {
        final int free = 2 * half == count ? count - 1 : count;
        if (Ranks.ways(free, half) <= MAX_SPLIT_COUNT)
        {
            return LongStream.range(0, 1L << free).filter((split) -> half == Long.bitCount(split))
                .mapToObj((split) -> BitSet.valueOf(new long[]{ split })).toList();
        }
        final Random random = new Random(count);
        return Stream.generate(() ->
        {
            final List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
            Collections.shuffle(order, random);
            final BitSet split = new BitSet();
            order.subList(0, half).forEach(split::set);
            return split;
        }).limit(MAX_SPLIT_COUNT).toList();
    }

    public String text(final boolean isMarkdown)
    {
        final Sheet sheet = new Sheet(isMarkdown, summary).remarks("A/A", List.of(
            runs.size() + " runs of " + starts + " starts; " +
            (isEachSplit ? "each way to split them" : "splits drawn at random")));
        sheet.remarks("refused", refusals).remarks("note", notes);
        if (metrics.isEmpty())
        {
            return sheet.toString();
        }
        final TextTable table = new TextTable().left("").right("false alarms").right("halves differ by up to");
        metrics.forEach((one) -> table.row(
            one.metric, Lines.text("%.1f%%", 100.0 * one.alarms / splits),
            Lines.text("%.1f%%", 100 * one.change95)));
        return sheet.blank().table(table).with(
            "Halves of one set-up, judged as by compare. Up to: in 95% of the splits; a change below it can be chance.");
    }
}
