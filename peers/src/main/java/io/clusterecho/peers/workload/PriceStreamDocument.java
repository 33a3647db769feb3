package io.clusterecho.peers.workload;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.results.Percentiles;

/** Output of {@code price-stream --json}. */
record PriceStreamDocument(
    @JsonUnwrapped WorkloadHead head,
    long asked, long count, long wrong, long durationNs, long ratePerSecond, long bytesPerSecond, Percentiles sinceRequestNs)
{
    static final String FORMAT = "cluster-echo-price-stream/1";
}
