package io.clusterecho.client.report;

import java.util.List;
import java.util.SortedMap;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the files of a failover test say beside those of its load.
 *
 * @param result        as written, of a format version that this program knows.
 * @param timelines     by the number of the cycle: of all, or of a choice when there are more than a page bears.
 * @param timelineCount that were stored.
 */
record FailoverRun(JsonNode result, SortedMap<Integer, List<FailoverStretch>> timelines, int timelineCount)
{
    /**
     * The verdict in one word.
     */
    String verdict()
    {
        final JsonNode verdict = result.get("verdict");
        final String label = verdict.path("label").asText();
        return !label.isEmpty() ? label : verdict.path("good").asBoolean() ? "GOOD" :
            verdict.path("partial").asBoolean() && verdict.path("reasons").isEmpty() ? "PARTIAL" : "FAILED";
    }
}
