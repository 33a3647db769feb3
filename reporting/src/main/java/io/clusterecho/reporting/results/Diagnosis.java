package io.clusterecho.reporting.results;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Why a tail is as long as it is.
 *
 * @param tail     how long it is, in a sentence.
 * @param isLong   whether it is long: p99 of the run is five times the median or more.
 * @param findings likely causes, the one that covers most of what was slow first.
 */
public record Diagnosis(String tail, @JsonProperty("long") boolean isLong, List<TailCause> findings)
{
}
