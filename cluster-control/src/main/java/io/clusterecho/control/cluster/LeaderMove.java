package io.clusterecho.control.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.FailureText;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.node.member.LeaderPreference;

/**
 * Moves the lead of a running cluster to a member of choice. Aeron has no call for that: the leader is stopped in an orderly way,
 * the others elect another at once, and the stopped member is started again as a follower. All members are asked beforehand to
 * prefer the wanted one in elections. If another is elected nevertheless, because its log was longer, the same is done again. One
 * thread.
 */
public final class LeaderMove
{
    /** For the end of the preference if this process does not end it itself. */
    private static final long MARGIN_NS = 10_000_000_000L;
    private static final long NS_PER_MS = 1_000_000L;

    private final List<ClusterMember> members;
    private final View view;
    private final LongSupplier clockMs;
    private final Consumer<String> progress;

    /** What a move needs to know of a cluster. */
    interface View
    {
        /**
         * The member that leads, or empty in an election.
         */
        Optional<ClusterMember> leader();

        /**
         * Whether all members are in the term of one leader.
         */
        boolean isSettled();
    }

    /**
     * What a move has done.
     *
     * @param stops number of members that were stopped and started again, 0 if the wanted one led already.
     */
    public record Moved(int stops)
    {
    }

    LeaderMove(
        final List<ClusterMember> members, final View view, final LongSupplier clockMs, final Consumer<String> progress)
    {
        this.members = members;
        this.view = view;
        this.clockMs = clockMs;
        this.progress = progress;
    }

    /**
     * Move the lead of a cluster.
     *
     * @param cluster  running, with all members.
     * @param memberId of the member that is to lead.
     * @param attempts maximum number of elections, from 1.
     * @param deadline to wait until.
     * @throws ControlFailure if it does not lead in the end; the members run, or the message names the one that does not.
     */
    public static Moved move(
        final Cluster cluster, final int memberId, final int attempts, final Deadline deadline, final Consumer<String> progress)
    {
        try (FileChannel ignore = cluster.lock())
        {
            return new LeaderMove(
                cluster.members(),
                new View()
                {
                    @Override
                    public Optional<ClusterMember> leader()
                    {
                        return cluster.leader();
                    }

                    @Override
                    public boolean isSettled()
                    {
                        return cluster.isSettled();
                    }
                },
                System::currentTimeMillis, progress).to(memberId, attempts, deadline);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    Moved to(final int memberId, final int attempts, final Deadline deadline)
    {
        final ClusterMember wanted = members.get(memberId);
        requireSettled(deadline);
        int stops = 0;
        try
        {
            while (leader().memberId() != memberId)
            {
                if (stops == attempts)
                {
                    throw new ControlFailure(
                        ControlFailure.NOT_READY, "member " + leader().memberId() + " leads after " + stops +
                        (1 == stops ? " election" : " elections") + ", not member " + memberId +
                        ": run the command again, or allow more with --attempts");
                }
                awaitCaughtUp(wanted, deadline);
                prefer(new LeaderPreference(memberId, clockMs.getAsLong() + (deadline.remainingNs() + MARGIN_NS) / NS_PER_MS));
                stepDown(leader(), deadline);
                stops++;
            }
            return new Moved(stops);
        }
        finally
        {
            // Where that fails it ends by itself, and why the move failed matters more.
            new Attempts().on(members, (member) -> member.prefer(null));
        }
    }

    /**
     * A member that is down leaves no quorum while the leader is stopped.
     */
    private void requireSettled(final Deadline deadline)
    {
        deadline.await(() -> view.isSettled() || !members.stream().allMatch(ClusterMember::isAlive));
        if (!view.isSettled())
        {
            throw FailureText.failure(
                members, (member) -> false, "not all members are in one term, so the leader was not stopped");
        }
    }

    private ClusterMember leader()
    {
        return view.leader().orElseThrow(() -> new ControlFailure(ControlFailure.NOT_READY, "the cluster has no leader now"));
    }

    /**
     * A member whose log is shorter than that of another is not elected.
     */
    private void awaitCaughtUp(final ClusterMember wanted, final Deadline deadline)
    {
        final long position = committed(leader());
        if (!deadline.await(() -> committed(wanted) >= position))
        {
            throw new ControlFailure(
                ControlFailure.NOT_READY, "member " + wanted.memberId() + " has committed up to position " +
                committed(wanted) + ", the leader up to " + position + ", so the leader was not stopped");
        }
    }

    private void stepDown(final ClusterMember leader, final Deadline deadline)
    {
        final int memberId = leader.memberId();
        progress.accept("stopping member " + memberId + ", the leader");
        leader.terminate();
        if (!deadline.await(() -> !leader.isAlive()))
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "member " + memberId + " did not stop in time");
        }
        // Not before: with its vote it could lead again.
        final boolean isElected = deadline.await(() -> view.leader().isPresent());
        progress.accept("starting member " + memberId + " again");
        leader.cleanUp();
        leader.start();
        if (!isElected || !deadline.await(view::isSettled))
        {
            throw FailureText.failure(
                members, (member) -> false, "timeout: no leader that all members follow, after member " + memberId +
                " was stopped and started again");
        }
    }

    private void prefer(final LeaderPreference preference)
    {
        members.forEach((member) -> member.prefer(preference));
    }

    private static long committed(final ClusterMember member)
    {
        return member.counters().map(MemberCounters::commitPosition).orElse(-1L);
    }
}
