package io.clusterecho.control.cluster;

import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.stream.Collectors;

import io.aeron.cluster.ClusterControl;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberCounters;

/** Snapshots of a running cluster, taken by its leader on request. One thread. */
public record ClusterSnapshots(Cluster cluster)
{
    /** Ask the leader for a snapshot of all members, and wait; fails without a leader, and if it is not taken in time. */
    public List<ClusterMember> take(final Deadline deadline)
    {
        return take(cluster.members().stream().filter(ClusterMember::isAlive).toList(), deadline);
    }

    /** As {@link #take(Deadline)}, for members that are known to run. */
    List<ClusterMember> take(final List<ClusterMember> alive, final Deadline deadline)
    {
        final Map<ClusterMember, Long> counts = alive.stream().collect(
            Collectors.toMap((member) -> member, ClusterSnapshots::snapshotCount));
        request(deadline);
        if (!deadline.await(() -> alive.stream().allMatch((member) -> snapshotCount(member) > counts.get(member))))
        {
            throw Endings.failure(
                cluster.members(), (ignored) -> false, "timeout: not all running members took the snapshot");
        }

        return alive;
    }

    /** Ask the leader for a snapshot without waiting for it; fails if there is no leader, or it does not accept it in time. */
    public void request(final Deadline deadline)
    {
        requireLeader().ask(ClusterControl.ToggleState.SNAPSHOT, cluster.clusterId(), deadline);
    }

    private ClusterMember requireLeader()
    {
        final Optional<ClusterMember> leader = cluster.leader();
        if (leader.isEmpty())
        {
            // Fails if this user may not see which member leads.
            cluster.members().forEach(ClusterMember::errors);
            throw ControlFailure.notReady(
                "no leader in " + cluster.config().baseDir() + ": start the cluster, or wait for its election");
        }

        return leader.get();
    }

    private static long snapshotCount(final ClusterMember member)
    {
        return member.counters().map(MemberCounters::snapshotCount).orElse(-1L);
    }
}
