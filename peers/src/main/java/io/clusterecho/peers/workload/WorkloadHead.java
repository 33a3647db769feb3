package io.clusterecho.peers.workload;

import java.time.Instant;
import java.util.Map;

import io.clusterecho.peers.PeerNames;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;

/**
 * The common first fields of all workload documents.
 */
record WorkloadHead(
    String format, String start, String transport, boolean good, Map<String, String> cluster, Map<String, String> versions,
    Map<String, String> machine)
{
    static WorkloadHead of(final String format, final WorkloadOptions options, final boolean isGood)
    {
        return new WorkloadHead(
            format, Instant.now().toString(), options.transport, isGood,
            PeerNames.peer("--transport", options.transport).facts(), BuildFacts.versions(), MachineFacts.machine());
    }
}
