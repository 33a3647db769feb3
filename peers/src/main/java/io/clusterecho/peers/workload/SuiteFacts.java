package io.clusterecho.peers.workload;

import java.time.Instant;
import java.util.SortedMap;

/** Description of a run of the suite, with the systems that cannot run on this machine and the reason. */
record SuiteFacts(
    String label, Instant start, String size, String commandLine, boolean isPartial, SortedMap<String, String> skipped)
{
}
