package io.clusterecho.client.series;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.media.counters.ServiceCounter;

/** Takes snapshots of a cluster under load. One thread. */
@FunctionalInterface
interface SnapshotTaker
{
    /**
     * Part of a member in a snapshot.
     *
     * @param isLeader whether it led when the snapshot was requested.
     * @param pauseNs  time for which its service wrote the snapshot and answered nothing, in ns; -1 if unknown.
     */
    record Part(int memberId, boolean isLeader, long pauseNs)
    {
    }

    /**
     * Take a snapshot of all members that run, and wait until they have it.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it was not taken.
     */
    List<Part> take(Deadline deadline);

    /** By the counters of the members. */
    static SnapshotTaker of(final Cluster cluster)
    {
        return (deadline) ->
        {
            final Map<Integer, MemberCounters> before = new HashMap<>();
            cluster.members().forEach(
                (member) -> member.counters().ifPresent((counters) -> before.put(member.memberId(), counters)));
            return cluster.takeSnapshot(deadline).stream().map((member) -> part(member, before.get(member.memberId()))).toList();
        };
    }

    private static Part part(final ClusterMember member, final MemberCounters before)
    {
        final long beginNs = pauseNs(before);
        final long endNs = pauseNs(member.counters().orElse(null));
        return new Part(
            member.memberId(), null != before && before.isLeader(), beginNs < 0 || endNs < beginNs ? -1 : endNs - beginNs);
    }

    private static long pauseNs(final MemberCounters counters)
    {
        return null == counters ? -1 : counters.service().getOrDefault(ServiceCounter.SNAPSHOT_TIME, -1L);
    }
}
