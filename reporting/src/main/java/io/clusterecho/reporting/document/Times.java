package io.clusterecho.reporting.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.results.Percentile;

import org.HdrHistogram.Histogram;

/**
 * A time of many messages, in ns.
 *
 * @param percentiles of the values.
 * @param min         smallest value, 0 if there are none.
 * @param mean        with one decimal.
 * @param count       of values.
 */
public record Times(@JsonUnwrapped Percentiles percentiles, Long min, Double mean, Long count)
{
    public static Times of(final Histogram values)
    {
        final long count = values.getTotalCount();
        return new Times(
            Percentiles.of(values), 0 == count ? 0 : values.getMinValue(), Documents.rounded(values.getMean(), 1), count);
    }

    /**
     * A percentile in ns, 0 if the document does not have it.
     */
    public long at(final Percentile percentile)
    {
        return percentiles.at(percentile);
    }
}
