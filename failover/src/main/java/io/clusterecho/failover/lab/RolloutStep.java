package io.clusterecho.failover.lab;

import io.clusterecho.control.member.MemberVersion;

/**
 * One member that was started from another jar.
 *
 * @param cycle          number of the cycle that has its outage.
 * @param isLeader       whether it led before.
 * @param before         version that it ran before.
 * @param after          version of the jar that it was started from.
 * @param running        version that it has written into its output since, null if none.
 * @param snapshotLoadNs time in which its service loaded the snapshot of the version before, in ns; -1 if it loaded none.
 */
public record RolloutStep(
    int cycle, int memberId, boolean isLeader, MemberVersion before, MemberVersion after, MemberVersion running,
    long snapshotLoadNs)
{
}
