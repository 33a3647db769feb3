package io.clusterecho.reporting.sides;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/** The order of a comparison of sides, and its summary. */
public final class SideTable
{
    /** The runs of one side at one rate, of which those that failed do not count. */
    public record SideCell(int allCount, List<SideRun> counted)
    {
        private static final double US_PER_MS = 1e3;
        private static final int LEAST_WITHOUT_FRACTION = 100;

        public static SideCell of(final List<SideRun> runs, final String side, final long ratePerSecond)
        {
            final List<SideRun> all = runs.stream()
                .filter((run) -> run.side().equals(side) && run.ratePerSecond() == ratePerSecond).toList();
            return new SideCell(all.size(), all.stream().filter(SideRun::isCounted).toList());
        }

        public long metCount()
        {
            return counted.stream().filter(SideRun::isMet).count();
        }

        /** A percentile, 0 to 100 by {@link NearestRank}, over the runs that count; NaN if none of them has the value. */
        public double percentile(final ToDoubleFunction<SideRun> value, final double percent)
        {
            final double[] known = counted.stream().mapToDouble(value).filter((one) -> !Double.isNaN(one)).toArray();
            return 0 == known.length ? Double.NaN : NearestRank.of(known, percent);
        }

        /** Median and worst p50 in us; {@code -} if no run that counts has one. */
        public String p50Us()
        {
            return medianAndWorst(SideRun::p50Us, 1);
        }

        /** Median and worst p99 in ms; {@code -} if no run that counts has one. */
        public String p99Ms()
        {
            return medianAndWorst(SideRun::p99Us, US_PER_MS);
        }

        private String medianAndWorst(final ToDoubleFunction<SideRun> value, final double unit)
        {
            final double median = percentile(value, NearestRank.MEDIAN);
            return Double.isNaN(median) ? "-" : number(median, unit) + " (" + number(percentile(value, 100), unit) + ")";
        }

        private static String number(final double value, final double unit)
        {
            final boolean isWhole = 1 == unit || value / unit >= LEAST_WITHOUT_FRACTION;
            return Lines.text(isWhole ? "%,.0f" : "%.1f", value / unit);
        }
    }

    /** The order of all sides in each start, by index; the same for the same seed on any machine. */
    public static List<List<Integer>> order(final long seed, final int startCount, final int sideCount)
    {
        final Random random = new Random(seed);
        final List<List<Integer>> order = new ArrayList<>();
        for (int start = 0; start < startCount; start++)
        {
            final List<Integer> sides = new ArrayList<>(IntStream.range(0, sideCount).boxed().toList());
            Collections.shuffle(sides, random);
            order.add(sides);
        }
        return order;
    }

    /** Medians and counts of the runs that count, and what was left out. */
    public static String text(final List<SideRun> runs)
    {
        final TextTable table = new TextTable().left("side").right("messages/s").right("p50, median (worst), us")
            .right("p99, median (worst), ms").right("met").right("excluded").right("least sent").right("steal, worst, ms");
        for (final String side : runs.stream().map(SideRun::side).distinct().sorted().toList())
        {
            for (final long rate : runs.stream().mapToLong(SideRun::ratePerSecond).distinct().sorted().toArray())
            {
                final SideCell cell = SideCell.of(runs, side, rate);
                table.row(
                    side, rate, cell.p50Us(), cell.p99Ms(), cell.metCount() + " of " + cell.counted().size(),
                    cell.allCount() - cell.counted().size(),
                    number("%.1f%%", 100 * cell.percentile(SideRun::sent, 0)),
                    number("%.0f", cell.percentile(SideRun::stealMs, 100)));
            }
        }
        return table.text() + "met: p50 below 1 ms and p99 below 10 ms; excluded from all columns: runs that FAILED or have no " +
            "result, " + runs.stream().filter((run) -> !run.isCounted()).count() + " of " + runs.size() + " in all\n";
    }

    private static String number(final String format, final double value)
    {
        return Double.isNaN(value) ? "-" : Lines.text(format, value);
    }
}
