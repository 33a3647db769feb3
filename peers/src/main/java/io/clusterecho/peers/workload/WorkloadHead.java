package io.clusterecho.peers.workload;

import java.time.Instant;
import java.util.Map;

import io.clusterecho.peers.PeerNames;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.results.WindowEnds;

/** The common first fields of all workload documents. */
record WorkloadHead(
    String format, String start, String transport, boolean good, WindowEnds.WarmUp warmUp, Map<String, String> cluster,
    Map<String, String> versions, Map<String, String> machine)
{
    static WorkloadHead of(final String format, final WorkloadOptions options, final boolean isGood, final WarmUp warmUp)
    {
        return new WorkloadHead(
            format, Instant.now().toString(), options.transport, isGood, warmUp.end(),
            PeerNames.peer("--transport", options.transport).facts(), BuildFacts.versions(), MachineFacts.machine());
    }
}
