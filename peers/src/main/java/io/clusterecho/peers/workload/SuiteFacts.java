package io.clusterecho.peers.workload;

import java.time.Instant;
import java.util.SortedMap;

/**
 * What is said of a run of the suite beside its values.
 *
 * @param label       of the result folder.
 * @param start       of the run.
 * @param size        in words.
 * @param commandLine that repeats it.
 * @param isPartial   whether it was interrupted.
 * @param leftOut     systems that this machine cannot serve, with the reason.
 */
record SuiteFacts(
    String label, Instant start, String size, String commandLine, boolean isPartial, SortedMap<String, String> leftOut)
{
}
