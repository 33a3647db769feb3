package io.clusterecho.reporting.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.results.Percentile;

import org.HdrHistogram.Histogram;

/**
 * A time of many messages, in ns.
 *
 * @param percentiles of the values.
 * @param min         least of them, 0 where there are none.
 * @param mean        with one decimal.
 * @param count       of values.
 */
public record Times(@JsonUnwrapped Percentiles percentiles, Long min, Double mean, Long count)
{
    /**
     * Of values.
     *
     * @param values in ns.
     * @return what a document says of them.
     */
    public static Times of(final Histogram values)
    {
        final long count = values.getTotalCount();
        return new Times(
            Percentiles.of(values), 0 == count ? 0 : values.getMinValue(), Documents.rounded(values.getMean(), 1), count);
    }

    /**
     * A percentile of them.
     *
     * @param percentile to take.
     * @return in ns, 0 where the document does not have it.
     */
    public long at(final Percentile percentile)
    {
        return percentiles.at(percentile);
    }
}
