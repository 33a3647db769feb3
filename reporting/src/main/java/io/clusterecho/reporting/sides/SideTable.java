package io.clusterecho.reporting.sides;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.clusterecho.text.TextTable;

/** The order of a comparison of sides, and its summary. */
public final class SideTable
{
    private SideTable()
    {
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
        for (final String side : runs.stream().map(SideRun::side).collect(Collectors.toCollection(TreeSet::new)))
        {
            for (final long rate : runs.stream().map(SideRun::ratePerSecond)
                .collect(Collectors.toCollection(TreeSet::new)))
            {
                final SideCell cell = new SideCell(runs, side, rate);
                table.row(
                    side, rate, cell.p50Us(), cell.p99Ms(), cell.metCount() + " of " + cell.countedCount(), cell.excludedCount(),
                    percent(cell.percentile(SideRun::sent, 0)), whole(cell.percentile(SideRun::stealMs, 100)));
            }
        }
        return table.text() + "met: p50 below 1 ms and p99 below 10 ms; excluded from all columns: runs that FAILED or have no " +
            "result, " + runs.stream().filter((run) -> !run.isCounted()).count() + " of " + runs.size() + " in all\n";
    }

    private static String percent(final double share)
    {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    private static String whole(final double value)
    {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
