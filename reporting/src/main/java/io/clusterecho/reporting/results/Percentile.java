package io.clusterecho.reporting.results;

import java.util.List;

import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;

import org.HdrHistogram.Histogram;

/** The percentiles in every result, under the names that manifest, thresholds and text share. */
public enum Percentile
{
    P50("p50", 50),
    P90("p90", 90),
    P99("p99", 99),
    P99_9("p99.9", 99.9),
    P99_99("p99.99", 99.99),
    MAX("max", 100);

    /** Those of charts and narrow tables. */
    public static final List<Percentile> MAIN = List.of(P50, P99, P99_9, MAX);

    /** Fewest values beyond a percentile that a result states. */
    private static final int MIN_BEYOND_COUNT = 10;

    private final String label;
    private final double percent;

    Percentile(final String label, final double percent)
    {
        this.label = label;
        this.percent = percent;
    }

    /** Name in results, for instance {@code p99.9}. */
    public String label()
    {
        return label;
    }

    public double percent()
    {
        return percent;
    }

    /** Value at this percentile, in the unit of the histogram; 0 for an empty one. */
    public long of(final Histogram histogram)
    {
        return 0 == histogram.getTotalCount() ? 0 :
            this == MAX ? histogram.getMaxValue() : histogram.getValueAtPercentile(percent);
    }

    /**
     * Whether a result of this many values states a percentile: with fewer than ten values beyond it, it is chance. At 100 it is
     * the largest value, which takes one.
     */
    public static boolean isStated(final double percent, final long count)
    {
        final int exactCount = (int)Math.min(Integer.MAX_VALUE, count);
        return count > 0 &&
            (100 == percent || exactCount - 1 - NearestRank.index(exactCount, percent) >= MIN_BEYOND_COUNT);
    }

    /** Value at this percentile for a result, in the unit of the histogram; null if a result does not state it. */
    public Long stated(final Histogram histogram)
    {
        return isStated(percent, histogram.getTotalCount()) ? of(histogram) : null;
    }

    /** For a person, for instance {@code 1.27 ms}; a dash if a result does not state it. The histogram is in ns. */
    public String text(final Histogram histogram)
    {
        return text(stated(histogram));
    }

    /** The same of a value in ns, or of null. */
    public static String text(final Long valueNs)
    {
        return null == valueNs ? "-" : Quantity.formatNs(valueNs);
    }
}
