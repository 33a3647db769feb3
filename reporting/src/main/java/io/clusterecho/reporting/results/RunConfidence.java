package io.clusterecho.reporting.results;

import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.confidence.IntervalSeries;
import io.clusterecho.reporting.confidence.PercentileBounds;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.Quantity;

import org.HdrHistogram.Histogram;

/** How far a run determines its own percentiles, of each of the four times. */
public record RunConfidence(Map<Time, OfTime> times)
{
    /** Bounds of every percentile except the largest value, which is a single message. */
    public record OfTime(Map<Percentile, PercentileBounds> bounds)
    {
        static OfTime of(final Path log, final Histogram times)
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
                return none(log.getFileName() + " cannot be read: " + ex.getMessage());
            }
            final long missing = times.getTotalCount() - series.totalCount();
            return 0 == missing ? of(series) : none(
                missing + " of its values are in no interval: messages without a reply, or intervals that were not recorded");
        }

        static OfTime of(final IntervalSeries series)
        {
            return of((percentile) -> PercentileBounds.of(series, percentile.percent()));
        }

        static OfTime none(final String reason)
        {
            return of((percentile) -> PercentileBounds.none(reason));
        }

        private static OfTime of(final Function<Percentile, PercentileBounds> ofPercentile)
        {
            final Map<Percentile, PercentileBounds> bounds = new EnumMap<>(Percentile.class);
            Stream.of(Percentile.values()).filter((percentile) -> Percentile.MAX != percentile)
                .forEach((percentile) -> bounds.put(percentile, ofPercentile.apply(percentile)));
            return new OfTime(Collections.unmodifiableMap(bounds));
        }

        boolean isAnyKnown()
        {
            return bounds.values().stream().anyMatch(PercentileBounds::isKnown);
        }

        /** Bounds for a person, for instance {@code 1.40-1.95 ms}; a dash if there are none. */
        String text(final Percentile percentile)
        {
            final PercentileBounds of = bounds.get(percentile);
            return null == of || !of.isKnown() ? "-" : Quantity.formatRangeNs(of.lowNs(), of.highNs());
        }

        /** Each reason why percentiles have no bounds, with their names as in {@code p99.9, p99.99}; empty for all. */
        Map<String, String> missing()
        {
            final Map<String, String> missing = bounds.entrySet().stream().filter((entry) -> !entry.getValue().isKnown())
                .collect(Collectors.groupingBy((entry) -> entry.getValue().missing(), LinkedHashMap::new,
                Collectors.mapping((entry) -> entry.getKey().label(), Collectors.joining(", "))));
            missing.replaceAll((reason, labels) -> labels.split(", ").length == bounds.size() ? "" : labels);
            return missing;
        }
    }

    public static RunConfidence of(final Path folder, final LoadMeasurement measurement)
    {
        return new RunConfidence(Time.OF_MESSAGES.stream().collect(Collectors.toMap(
            Function.identity(), (time) -> OfTime.of(folder.resolve(time.log()), measurement.times().of(time)))));
    }

    /** No bounds at all, for a reason that ends a sentence. */
    public static RunConfidence none(final String reason)
    {
        final OfTime none = OfTime.none(reason);
        return new RunConfidence(Time.OF_MESSAGES.stream().collect(Collectors.toMap(Function.identity(), (time) -> none)));
    }

    public OfTime of(final Time time)
    {
        return times.get(time);
    }
}
