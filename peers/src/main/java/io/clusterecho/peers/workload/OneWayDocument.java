package io.clusterecho.peers.workload;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * What {@code one-way --json} prints.
 */
record OneWayDocument(
    @JsonUnwrapped WorkloadHead head,
    int lengthBytes, long sent, long received, long backPressured, long durationNs, long ratePerSecond, long bytesPerSecond)
{
    static final String FORMAT = "cluster-echo-one-way/1";
}
