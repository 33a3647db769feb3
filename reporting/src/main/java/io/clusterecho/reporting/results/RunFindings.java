package io.clusterecho.reporting.results;

import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.measurement.Time;

/**
 * All that a run shows: what its text and its document print. A part is null where it does not apply or is not known.
 *
 * @param evidence of its verdict, with what its series show.
 * @param times    of messages, with their bounds.
 * @param members  what each did; none if their counters were not read.
 * @param clients  that shared the load; none if this process was the only one.
 */
public record RunFindings(
    RunDescription description, RunEvidence evidence, Map<Time, Times> times, Diagnosis diagnosis, SnapshotCost snapshots,
    BackupLag backup, ChurnCost churn, CpuCost cpu, List<MemberLoad> members, FloorRatio floor, List<ClientRecord> clients)
{
}
