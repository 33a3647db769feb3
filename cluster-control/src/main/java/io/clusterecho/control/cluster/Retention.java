package io.clusterecho.control.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberStorage;
import io.clusterecho.control.member.Node;
import io.clusterecho.node.member.FolderLock;

/**
 * Keeps the log of a running cluster short: all members take a snapshot, then each purges the log before the oldest one that the
 * members keep, and its older snapshots. A member that is down may need the log from there on, so nothing is purged without it. A
 * backup purges what precedes the snapshots that it has copied. docs/adr/0036 has the argument. One thread.
 *
 * @param snapshotCount number of newest snapshots that are kept, from 1.
 */
public record Retention(Cluster cluster, int snapshotCount)
{
    /** What one member, or the backup, has purged: {@code Member 0}, its storage before and after. */
    public record Purged(String name, MemberStorage before, MemberStorage after)
    {
    }

    /**
     * Take a snapshot, and purge what no member needs. Fails if there is no leader, a member is down, did not take the snapshot
     * in time or did not purge; what was purged until then is not needed.
     */
    public void run(final Deadline deadline, final Consumer<Purged> result)
    {
        try (FolderLock ignore = cluster.lock())
        {
            // Also one whose host does not answer.
            final List<String> down = cluster.members().stream()
                .filter((member) -> !ControlFailure.orElse(member::isAlive, false))
                .map((member) -> "member " + member.memberId()).toList();
            ControlFailure.notReadyIf(
                !down.isEmpty(), String.join(", ", down) + " is down and may need the log, so nothing was purged: run start");
            cluster.takeSnapshot(deadline);
            final long position = cluster.members().stream()
                .mapToLong((member) -> member.storage().positionOfNewest(snapshotCount)).min().orElse(0);
            // The leader last: it is the one that the others copy the log from.
            final int leaderId = cluster.leader().map(ClusterMember::memberId).orElse(-1);
            for (final ClusterMember member : cluster.members().stream()
                .sorted(Comparator.comparing((member) -> leaderId == member.memberId())).toList())
            {
                purge(member, "Member " + member.memberId(), position, result);
            }
            // It has the snapshots that it has copied, which may be fewer and older than those of the members.
            cluster.backup().filter(Node::isAlive)
                .ifPresent((backup) -> purge(backup, "The backup", Long.MAX_VALUE, result));
        }
    }

    private void purge(final Node node, final String name, final long position, final Consumer<Purged> result)
    {
        final MemberStorage before = node.storage();
        if (before.hasLog())
        {
            node.purge(position, snapshotCount);
            result.accept(new Purged(name, before, node.storage()));
        }
    }
}
