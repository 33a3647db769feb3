package io.clusterecho.reporting.results;

import java.util.Arrays;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.HdrHistogram.Histogram;

/** Each {@link Percentile} of some values that a result states, in their unit; the largest is 0 if there are none. */
public record Percentiles(
    Long p50, Long p90, Long p99,
    @JsonProperty("p99.9") Long p99_9,
    @JsonProperty("p99.99") Long p99_99,
    Long max)
{
    public static Percentiles of(final Histogram values)
    {
        return new Percentiles(
            Percentile.P50.stated(values), Percentile.P90.stated(values), Percentile.P99.stated(values),
            Percentile.P99_9.stated(values), Percentile.P99_99.stated(values), Percentile.MAX.of(values));
    }

    /** Value of a percentile, null if the document does not have it. */
    public Long at(final Percentile percentile)
    {
        return Arrays.asList(p50, p90, p99, p99_9, p99_99, max).get(percentile.ordinal());
    }
}
