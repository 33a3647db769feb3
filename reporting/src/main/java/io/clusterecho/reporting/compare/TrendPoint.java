package io.clusterecho.reporting.compare;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;

import io.clusterecho.statistics.NearestRank;

/**
 * The results of a commit on a day, in UTC: repeats of one another.
 *
 * @param results by start, at least one.
 */
@JsonPropertyOrder({ "commit", "day", "start", "results" })
record TrendPoint(
    String commit, @JsonSerialize(using = ToStringSerializer.class) LocalDate day, List<ComparedRun> results)
{
    /**
     * A metric of a point.
     *
     * @param median of the results, by the nearest rank.
     * @param low    smallest of several, or lower 95% bound of a single one where it has bounds.
     * @param high   largest of several, or upper bound.
     */
    record Value(double median, double low, double high, int count)
    {
    }

    static LocalDate dayOf(final ComparedRun result)
    {
        return result.start().atZone(ZoneOffset.UTC).toLocalDate();
    }

    @JsonProperty
    @JsonSerialize(using = ToStringSerializer.class)
    Instant start()
    {
        return results.get(0).start();
    }

    /** Results with a metric. A search without an answer has a rate of 0, and a time without messages is 0: both are left out. */
    List<ComparedRun> having(final Metric metric)
    {
        return results.stream()
            .filter((result) -> metric.isIn(result.manifest()) && metric.of(result.manifest()) > 0).toList();
    }

    /** A metric of the point, or null if no result has it. */
    Value value(final Metric metric)
    {
        final List<ComparedRun> having = having(metric);
        if (having.isEmpty())
        {
            return null;
        }
        final double[] values = having.stream().mapToDouble((result) -> metric.of(result.manifest())).sorted().toArray();
        final double[] bounds = 1 == values.length ? metric.boundsIn(having.get(0).manifest()) : null;
        return new Value(
            NearestRank.of(values, NearestRank.MEDIAN), null == bounds ? values[0] : bounds[0],
            null == bounds ? values[values.length - 1] : bounds[1], values.length);
    }
}
