package io.clusterecho.reporting.results;

import io.clusterecho.settings.Quantity;

import org.HdrHistogram.Histogram;

/** The percentiles in every result, under the names that manifest, thresholds and text share. */
public enum Percentile
{
    /** Median. */
    P50("p50", 50),
    /** 90th percentile. */
    P90("p90", 90),
    /** 99th percentile. */
    P99("p99", 99),
    /** 99.9th percentile. */
    P99_9("p99.9", 99.9),
    /** 99.99th percentile. */
    P99_99("p99.99", 99.99),
    /** Largest value. */
    MAX("max", 100);

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

    /**
     * Value at this percentile.
     *
     * @param histogram in any unit.
     * @return in the unit of the histogram; 0 for an empty one.
     */
    public long of(final Histogram histogram)
    {
        return 0 == histogram.getTotalCount() ? 0 :
            this == MAX ? histogram.getMaxValue() : histogram.getValueAtPercentile(percent);
    }

    /**
     * Value at this percentile, for a person.
     *
     * @param histogram in ns.
     * @return for instance {@code 1.27 ms}; a dash if the histogram is empty.
     */
    public String text(final Histogram histogram)
    {
        return 0 == histogram.getTotalCount() ? "-" : Quantity.formatNs(of(histogram));
    }
}
