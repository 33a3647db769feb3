package io.clusterecho.control.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.MemberStorage;
import io.clusterecho.control.member.Node;

/**
 * Keeps the log of a running cluster short: all members take a snapshot, then each purges the log that no member needs any more,
 * and its older snapshots. A backup purges what precedes the snapshots that it has copied. {@link RetentionPlan} has the rules,
 * docs/adr/0036 the argument for them. One thread.
 */
public final class Retention
{
    private final Cluster cluster;
    private final int snapshotCount;

    /** What one member, or the backup, has purged: {@code Member 0}, its storage before and after. */
    public record Purged(String name, MemberStorage before, MemberStorage after)
    {
    }

    /** Keeps so many newest snapshots, from 1. */
    public Retention(final Cluster cluster, final int snapshotCount)
    {
        this.cluster = cluster;
        this.snapshotCount = snapshotCount;
    }

    /**
     * Take a snapshot, and purge what no member needs. What can be purged safely is purged even if that is not all. Fails if
     * there is no leader, a member did not take the snapshot in time or did not purge, or a member that is down keeps the
     * others from purging.
     */
    public void run(final Deadline deadline, final Consumer<Purged> result)
    {
        MemberHost.connect(cluster.hosts());
        final List<String> failures = new ArrayList<>();
        try (ClusterFiles.Lock ignore = cluster.lock())
        {
            takeSnapshot(deadline, failures);
            final List<RetentionPlan.Found> found = cluster.members().stream().map(Retention::found).toList();
            final RetentionPlan plan = RetentionPlan.of(found, snapshotCount);
            for (final ClusterMember member : leaderLast(found))
            {
                purge(member, "Member " + member.memberId(), plan.position(), result, failures);
            }
            plan.holders().forEach((holder) -> failures.add(text(holder)));
            // It has the snapshots that it has copied, which may be fewer and older than those of the members.
            cluster.backup().filter(Backup::isAlive)
                .ifPresent((backup) -> purge(backup, "The backup", Long.MAX_VALUE, result, failures));
        }

        ControlFailure.notReadyIf(!failures.isEmpty(), String.join("\n", failures));
    }

    /** A member that is stopped or hangs must not keep the others from purging: it counts with the snapshots that it has. */
    private void takeSnapshot(final Deadline deadline, final List<String> failures)
    {
        try
        {
            cluster.takeSnapshot(cluster.members().stream().filter(Retention::isRunning).toList(), deadline);
        }
        catch (final ControlFailure ex)
        {
            if (cluster.leader().isEmpty())
            {
                throw ex;
            }
            failures.add(ex.getMessage());
        }
    }

    private static RetentionPlan.Found found(final ClusterMember member)
    {
        return new RetentionPlan.Found(
            member.memberId(), isRunning(member), ControlFailure.orElse(member::storage, null));
    }

    /** A member whose host does not answer counts as down: it keeps the others from purging. */
    private static boolean isRunning(final ClusterMember member)
    {
        return ControlFailure.orElse(member::isAlive, false);
    }

    /** The running members, the leader last: it is the one that the others copy the log from. */
    private List<ClusterMember> leaderLast(final List<RetentionPlan.Found> found)
    {
        final int leaderId = cluster.leader().map(ClusterMember::memberId).orElse(-1);
        return cluster.members().stream()
            .filter((member) -> found.get(member.memberId()).isRunning())
            .sorted(Comparator.comparing((member) -> leaderId == member.memberId()))
            .collect(Collectors.toList());
    }

    private void purge(
        final Node node, final String name, final long position, final Consumer<Purged> result, final List<String> failures)
    {
        try
        {
            final MemberStorage before = node.storage();
            if (before.hasLog())
            {
                node.purge(position, snapshotCount);
                result.accept(new Purged(name, before, node.storage()));
            }
        }
        catch (final ControlFailure ex)
        {
            failures.add(ex.getMessage());
        }
    }

    private String text(final RetentionPlan.Holder holder)
    {
        return "member " + holder.memberId() + " is down and may need the log from position " + holder.position() + " on (" +
            holder.reason() + "), so no more of it was purged: run start or heal --member-id " + holder.memberId();
    }
}
