package io.clusterecho.reporting.results;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.HdrHistogram.Histogram;

/**
 * A time of many messages, in ns.
 *
 * @param min         smallest value, 0 if there are none.
 * @param mean        with one decimal.
 * @param confidence95 lower and upper bound of each percentile that has them, with 95% confidence.
 * @param confidence95Missing why the others have none, by percentile.
 */
public record Times(
    @JsonUnwrapped Percentiles percentiles, Long min, Double mean, Long count, Map<String, List<Long>> confidence95,
    Map<String, String> confidence95Missing)
{
    public static Times of(final Histogram values)
    {
        final long count = values.getTotalCount();
        return new Times(
            Percentiles.of(values), 0 == count ? 0 : values.getMinValue(), Math.round(values.getMean() * 10) / 10.0, count, null,
            null);
    }

    public static Times of(final Histogram values, final RunConfidence.OfTime confidence)
    {
        final Times times = of(values);
        final Map<String, List<Long>> known = new LinkedHashMap<>();
        final Map<String, String> missing = new LinkedHashMap<>();
        confidence.bounds().forEach((percentile, bounds) ->
        {
            if (bounds.isKnown())
            {
                known.put(percentile.label(), List.of(bounds.lowNs(), bounds.highNs()));
            }
            else
            {
                missing.put(percentile.label(), bounds.missing());
            }
        });
        return new Times(times.percentiles, times.min, times.mean, times.count, known, missing);
    }

    /** A percentile in ns, null if the document does not have it. */
    public Long at(final Percentile percentile)
    {
        return percentiles.at(percentile);
    }

    /** The same for a person; a dash if the document does not have it. */
    String text(final Percentile percentile)
    {
        return 0 == count ? "-" : Percentile.text(at(percentile));
    }
}
