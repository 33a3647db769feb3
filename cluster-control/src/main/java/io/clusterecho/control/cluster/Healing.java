package io.clusterecho.control.cluster;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Replaces the data of one member with that of the others: it starts empty, and the leader's archive sends it the log, after a
 * purge of the log the newest snapshot too. Refused unless the others have everything that was ever committed, because then, and
 * only then, nothing is lost with this member's data: a leader has all of it, down to the last message that this member can read,
 * and a majority without this member has what the leader has. One thread.
 *
 * @param member whose data is replaced.
 */
public record Healing(Cluster cluster, ClusterMember member)
{
    private static final long AGREEMENT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(25);

    /** Healing with the data of the other members; rejects a member that does not exist. */
    public Healing(final Cluster cluster, final int memberId)
    {
        this(cluster, cluster.member("--member-id", memberId));
    }

    /** The leader, which sends the log; fails if the member serves, or the others may lack something. */
    public ClusterMember check()
    {
        MemberHost.connect(cluster.hosts());
        InvalidSettingException.throwIf(
            cluster.followers().contains(member), "member " + member.memberId() + " serves: there is nothing to heal");

        final ClusterMember leader = cluster.leader().orElseThrow(() -> ControlFailure.notReady(
            "the data of member " + member.memberId() +
            " may be the only copy of committed messages, because the others have no leader: run start first, which explains " +
            "what to do if it fails; " + Holdings.text(cluster.members())));
        final long committedPosition = leader.counters().map(MemberCounters::commitPosition).orElse(Long.MAX_VALUE);
        final Deadline agreement = Deadline.in(AGREEMENT_TIMEOUT_NS);
        if (!agreement.await(() -> holdersOf(committedPosition).size() >= cluster.majority()))
        {
            throw ControlFailure.notReady(
                "the data of member " + member.memberId() +
                " may be one of too few copies of committed messages: without it, " + holdersOf(committedPosition).size() +
                " members have the log up to position " + committedPosition + ", " + cluster.majority() +
                " are needed: run start first; " + Holdings.text(cluster.members()));
        }

        Holdings.checkIsIn(member, leader, cluster.members());
        return leader;
    }

    private List<ClusterMember> holdersOf(final long position)
    {
        return cluster.followers().stream().filter((holder) -> holder != member && has(holder, position)).toList();
    }

    private static boolean has(final ClusterMember holder, final long position)
    {
        return holder.counters().map(MemberCounters::appendPosition).orElse(-1L) >= position;
    }

    /**
     * Replace the data, which is moved to a folder in the member's own, and wait until the member has what the leader had
     * committed at the beginning; returns the length of its log in bytes. Fails as {@link #check()}, or if it does not catch
     * up; it then keeps running, unless it ended.
     */
    public long run(final String folder, final Deadline deadline, final Consumer<String> progress)
    {
        try (FolderLock ignore = cluster.lock())
        {
            final ClusterMember leader = check();
            final long committedPosition = leader.counters().map(MemberCounters::commitPosition).orElse(0L);
            member.terminate();
            member.awaitStop(Deadline.in(STOP_TIMEOUT_NS), (ignored) -> { });
            member.cleanUp();
            member.setAside(folder);
            seedAfterPurge(leader).ifPresent(member::putSeed);
            progress.accept(
                "waiting for member " + member.memberId() + " to copy the log from member " + leader.memberId());
            member.start();
            final boolean isDone = deadline.await(() -> !member.isAlive() ||
                cluster.followers().contains(member) && has(member, committedPosition));
            if (!isDone || !member.isAlive())
            {
                throw Endings.failure(
                    List.of(member), (ignored) -> false, isDone ? "" :
                    "timeout: member " + member.memberId() + " did not catch up; it keeps running");
            }

            return member.counters().map(MemberCounters::appendPosition).orElse(0L);
        }
    }

    /** Have an empty member that is down copy the leader's newest snapshot at its next start, if the log before it was purged. */
    public static Optional<MemberSeed> seedAfterPurge(final ClusterMember leader)
    {
        return leader.storage().startPosition() > 0 ? Optional.of(leader.seed()) : Optional.empty();
    }
}
