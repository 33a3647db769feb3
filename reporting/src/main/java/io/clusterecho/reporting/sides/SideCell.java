package io.clusterecho.reporting.sides;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import io.clusterecho.statistics.NearestRank;

/** The runs of one side at one rate, of which those that failed do not count. */
public final class SideCell
{
    private static final double US_PER_MS = 1e3;
    private static final int LEAST_WITHOUT_FRACTION = 100;

    private final List<SideRun> counted;
    private final int allCount;

    public SideCell(final List<SideRun> runs, final String side, final long ratePerSecond)
    {
        final List<SideRun> all = runs.stream()
            .filter((run) -> run.side().equals(side) && run.ratePerSecond() == ratePerSecond).toList();
        counted = all.stream().filter(SideRun::isCounted).toList();
        allCount = all.size();
    }

    public int allCount()
    {
        return allCount;
    }

    public int countedCount()
    {
        return counted.size();
    }

    int excludedCount()
    {
        return allCount - counted.size();
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
        return String.format(Locale.ROOT, isWhole ? "%,.0f" : "%.1f", value / unit);
    }
}
