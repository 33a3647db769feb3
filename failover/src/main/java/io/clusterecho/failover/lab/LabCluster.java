package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Optional;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.Retention;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberCounters;

/**
 * The cluster operations that the failover lab uses. Not thread-safe. All methods may throw a
 * {@link io.clusterecho.control.member.ControlFailure} if a host does not answer.
 */
class LabCluster
{
    /** Id of no member. */
    static final int NONE = -1;

    private final Cluster cluster;
    private final Rollout rollout;

    /** A cluster of real processes, with the plan of a rollout or null. */
    LabCluster(final Cluster cluster, final Rollout.Plan plan)
    {
        this.cluster = cluster;
        rollout = null == plan ? null : new Rollout(this, plan);
    }

    /** All members, in order of id. */
    List<ClusterMember> members()
    {
        return cluster.members();
    }

    /** The member that leads now, or empty during an election. */
    Optional<ClusterMember> leader()
    {
        return cluster.leader();
    }

    /** Id of the member that leads now, or {@link #NONE} if there is none or a host does not answer. */
    int leaderId()
    {
        try
        {
            return leader().map(ClusterMember::memberId).orElse(NONE);
        }
        catch (final RuntimeException ex)
        {
            return NONE;
        }
    }

    /** Commit position of the leader in bytes, or -1 if there is none. */
    long commitPosition()
    {
        return members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
            .filter(MemberCounters::isLeader).mapToLong(MemberCounters::commitPosition).max().orElse(-1);
    }

    /** Whether all members run and are in one settled term. */
    boolean isSettled()
    {
        return cluster.isSettled();
    }

    /** Take a snapshot on all members and wait for it. */
    void snapshot(final long timeoutNs)
    {
        cluster.takeSnapshot(Deadline.in(timeoutNs));
    }

    /** Ask the leader for a snapshot of all members, and do not wait for it. */
    void requestSnapshot(final long timeoutNs)
    {
        cluster.requestSnapshot(Deadline.in(timeoutNs));
    }

    /** Take a snapshot on all members, keep the newest ones, purge the log that none of them needs; a backup purges its own. */
    void retain(final int keptSnapshots, final long timeoutNs)
    {
        new Retention(cluster, keptSnapshots).run(Deadline.in(timeoutNs), (purged) -> { });
    }

    /** Resume paused members, start those that do not run, and wait until all are in one term. */
    void restore(final long timeoutNs)
    {
        cluster.resume();
        cluster.start(Deadline.in(timeoutNs), (line) -> { });
    }

    ElectionWatch watchElections()
    {
        return cluster.watchElections();
    }

    /** Chooses the victims, and gives them their jars; null for other tests. */
    Rollout rollout()
    {
        return rollout;
    }
}
