package io.clusterecho.peers.workload;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/** Output of {@code calls --json}. */
record CallsDocument(
    @JsonUnwrapped WorkloadHead head,
    int lengthBytes, int concurrency, long count, long lost, long wrong, long durationNs, long ratePerSecond,
    long bytesPerSecond)
{
    static final String FORMAT = "cluster-echo-calls/1";
}
