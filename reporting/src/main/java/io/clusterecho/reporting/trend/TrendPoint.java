package io.clusterecho.reporting.trend;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

import io.clusterecho.reporting.compare.ComparedRun;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.statistics.NearestRank;

/**
 * The results of a commit on a day, in UTC: repeats of one another.
 *
 * @param results by start, at least one.
 */
record TrendPoint(String commit, LocalDate day, List<ComparedRun> results)
{
    static LocalDate dayOf(final ComparedRun result)
    {
        return result.start().atZone(ZoneOffset.UTC).toLocalDate();
    }

    Instant start()
    {
        return results.get(0).start();
    }

    List<ComparedRun> having(final Metric metric)
    {
        return results.stream().filter((result) -> isIn(metric, result)).toList();
    }

    /** A metric of the point, or null if no result has it. */
    TrendDocument.Value value(final Metric metric)
    {
        final List<ComparedRun> having = having(metric);
        if (having.isEmpty())
        {
            return null;
        }
        final double[] values = having.stream().mapToDouble((result) -> metric.of(result.manifest())).sorted().toArray();
        final double median = values[NearestRank.index(values.length, NearestRank.MEDIAN)];
        final double[] bounds = 1 == values.length ? metric.boundsIn(having.get(0).manifest()) : null;
        return null != bounds ? new TrendDocument.Value(median, bounds[0], bounds[1], 1) :
            new TrendDocument.Value(median, values[0], Arrays.stream(values).max().getAsDouble(), values.length);
    }

    /** A search without an answer has a rate of 0, and a time without messages is 0: neither is a value. */
    private static boolean isIn(final Metric metric, final ComparedRun result)
    {
        return metric.isIn(result.manifest()) && metric.of(result.manifest()) > 0;
    }
}
