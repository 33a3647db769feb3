package io.clusterecho.reporting.results;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.confidence.IntervalSeries;
import io.clusterecho.reporting.confidence.PercentileBounds;
import io.clusterecho.settings.Quantity;

import org.HdrHistogram.Histogram;

/**
 * A time of many messages, in ns.
 *
 * @param min         smallest value, 0 if there are none.
 * @param mean        with one decimal.
 * @param confidence95 lower and upper bound of each percentile that has them, with 95% confidence; none of the largest value,
 *                     which is a single message.
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

    /** With bounds by the scatter along the intervals of a log, or with the reason why there are none. */
    public static Times of(final Histogram values, final Path log)
    {
        final IntervalSeries series = new IntervalSeries();
        try (HistogramLog histograms = new HistogramLog(log))
        {
            for (Histogram next = histograms.next(); null != next; next = histograms.next())
            {
                series.add(next);
            }
        }
        catch (final IllegalArgumentException ex)
        {
            return unbounded(values, log.getFileName() + " cannot be read: " + ex.getMessage());
        }
        final long missing = values.getTotalCount() - series.totalCount();
        return 0 == missing ? of(values, (percentile) -> PercentileBounds.of(series, percentile.percent())) : unbounded(values,
            missing + " of its values are in no interval: messages without a reply, or intervals that were not recorded");
    }

    /** Without any bounds, for a reason that ends a sentence. */
    public static Times unbounded(final Histogram values, final String reason)
    {
        return of(values, (percentile) -> PercentileBounds.none(reason));
    }

    private static Times of(final Histogram values, final Function<Percentile, PercentileBounds> boundsOf)
    {
        final Times times = of(values);
        final Map<String, List<Long>> known = new LinkedHashMap<>();
        final Map<String, String> missing = new LinkedHashMap<>();
        for (final Percentile percentile : List.of(Percentile.values()).subList(0, Percentile.MAX.ordinal()))
        {
            final PercentileBounds bounds = boundsOf.apply(percentile);
            if (bounds.isKnown())
            {
                known.put(percentile.label(), List.of(bounds.lowNs(), bounds.highNs()));
            }
            else
            {
                missing.put(percentile.label(), bounds.missing());
            }
        }
        return new Times(times.percentiles, times.min, times.mean, times.count, known, missing);
    }

    /** A percentile in ns, null if the document does not have it. */
    public Long at(final Percentile percentile)
    {
        return percentiles.at(percentile);
    }

    /** Percentiles for a person; a dash for one that the document does not have. */
    String text(final Percentile... some)
    {
        return Stream.of(some).map((percentile) -> 0 == count ? "-" : Percentile.text(at(percentile)))
            .collect(Collectors.joining(", "));
    }

    /** Bounds for a person, for instance {@code 1.40-1.95 ms}; a dash if there are none. */
    String boundsText(final Percentile percentile)
    {
        final List<Long> bounds = confidence95.get(percentile.label());
        return null == bounds ? "-" : Quantity.formatRangeNs(bounds.get(0), bounds.get(1));
    }

    /** Each reason why percentiles have no bounds, with their names as in {@code p99.9, p99.99}; empty for all. */
    Map<String, String> missing()
    {
        final Map<String, String> missing = new LinkedHashMap<>();
        confidence95Missing.forEach((label, reason) -> missing.merge(reason, label, (before, now) -> before + ", " + now));
        missing.replaceAll((reason, labels) -> confidence95.isEmpty() && 1 == missing.size() ? "" : labels);
        return missing;
    }
}
