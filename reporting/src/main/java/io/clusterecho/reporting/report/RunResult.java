package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The contents of a run's folder.
 *
 * @param folder        of the run, absolute.
 * @param manifest      as written, of a format version that this program knows.
 * @param rawFileNames  of the files that hold the measured data, in order of name.
 * @param responseCurve of the whole run; with the age at the end for messages without a reply.
 * @param latenessCurve of the receive lateness of the whole run; without points where it is not known.
 * @param intervals     from the start of the schedule to the end, without gaps, merged.
 * @param responseTimes of each interval; without messages that had no reply.
 * @param lateness      receive lateness of each interval; none where it is not known.
 * @param stalls        of the client's process in each interval.
 * @param counters      of processes and machine in each interval.
 * @param failover      of which this was the load, or null.
 */
record RunResult(
    Path folder,
    JsonNode manifest,
    List<String> rawFileNames,
    PercentileCurve responseCurve,
    PercentileCurve serviceCurve,
    PercentileCurve delayCurve,
    PercentileCurve latenessCurve,
    List<Interval> intervals,
    List<Distribution> responseTimes,
    List<Distribution> sendDelays,
    List<Distribution> lateness,
    List<Distribution> stalls,
    CounterSeries counters,
    FailoverRun failover)
{
    /** The verdict in one word: that of the failover test if there is one. Manifests of newer results have the same. */
    String verdict()
    {
        return null != failover ? failover.verdict() : manifest.at("/verdict/label").asText();
    }
}
