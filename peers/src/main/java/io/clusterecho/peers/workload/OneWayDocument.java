package io.clusterecho.peers.workload;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/** Output of {@code one-way --json}. */
record OneWayDocument(
    @JsonUnwrapped WorkloadHead head,
    int lengthBytes, long sent, long received, long backPressured, long durationNs, long ratePerSecond, long bytesPerSecond)
{
    static final String FORMAT = "cluster-echo-one-way/1";
}
