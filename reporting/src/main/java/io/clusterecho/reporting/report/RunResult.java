package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.measurement.Time;

/**
 * The contents of a run's folder.
 *
 * @param manifest      as written, of a format version that this program knows.
 * @param rawFileNames  of the files that hold the measured data, in order of name.
 * @param curves        of the whole run; of response times with the age at the end for messages without a reply.
 * @param intervals     from the start of the schedule to the end, without gaps, merged.
 * @param distributions of each interval; of response times without messages that had no reply.
 * @param failover      of which this was the load, or null.
 */
record RunResult(
    Path folder,
    JsonNode manifest,
    List<String> rawFileNames,
    Map<Time, PercentileCurve> curves,
    List<Interval> intervals,
    Map<Time, List<Distribution>> distributions,
    CounterSeries counters,
    FailoverRun failover)
{
    /** Without points where the time is not known. */
    PercentileCurve curve(final Time time)
    {
        return curves.getOrDefault(time, PercentileCurve.NONE);
    }

    /** None where the time is not known. */
    List<Distribution> distributions(final Time time)
    {
        return distributions.getOrDefault(time, List.of());
    }

    /** The verdict in one word: that of the failover test if there is one. Manifests of newer results have the same. */
    String verdict()
    {
        return null != failover ? failover.verdict() : manifest.at("/verdict/label").asText();
    }
}
