package io.clusterecho.reporting.report;

import java.util.List;
import java.util.SortedMap;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.document.StoredVerdict;

/**
 * The result of a failover test, without that of its load.
 *
 * @param result        as written, of a format version that this program knows.
 * @param document      the same, bound.
 * @param timelines     by the number of the cycle; a selection if there are too many for a page.
 * @param timelineCount that were stored.
 */
record FailoverRun(
    JsonNode result, FailoverDocument document, SortedMap<Integer, List<FailoverStretch>> timelines, int timelineCount)
{
    /** The verdict in one word. */
    String verdict()
    {
        final StoredVerdict verdict = document.verdict();
        return null != verdict.label() ? verdict.label() : verdict.good() ? "GOOD" :
            Boolean.TRUE.equals(verdict.partial()) && verdict.reasons().isEmpty() ? "PARTIAL" : "FAILED";
    }
}
