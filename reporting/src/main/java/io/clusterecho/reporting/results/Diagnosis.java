package io.clusterecho.reporting.results;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Why the tail is long.
 *
 * @param tail     its length, in a sentence.
 * @param isLong   whether p99 of the run is at least five times the median, or at least 1 s.
 * @param findings likely causes, the one that explains most of the slow time first.
 */
public record Diagnosis(String tail, @JsonProperty("long") boolean isLong, List<TailCause> findings)
{
}
