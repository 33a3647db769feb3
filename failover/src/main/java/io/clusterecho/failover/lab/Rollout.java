package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.control.member.NodeJar;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.Cycle;

/**
 * A cluster whose members are started from another jar, one after the other: a follower that still runs the jar to be replaced,
 * and the leader when no such follower is left. Chooses the next member, gives it its jar before it is started, and keeps what
 * each step did. After a step that failed it leaves the cluster as it is. Not thread-safe.
 */
public final class Rollout
{
    /** Whether a step has failed, after which the cluster is left as it is. */
    boolean isStopped;

    private final Cluster cluster;
    private final Plan plan;
    private final List<FailoverDocument.Step> steps = new ArrayList<>();
    /** Members that this pass has replaced. */
    private final Set<Integer> replaced = new HashSet<>();
    private int doneCount;

    /** A rollout, not begun, of a cluster whose members all run the first jar. */
    Rollout(final Cluster cluster, final Plan plan)
    {
        this.cluster = cluster;
        this.plan = plan;
    }

    /** The steps that were begun, in order, with the sum of the outages of these cycles. */
    FailoverDocument.Rollout result(final List<Cycle> cycles)
    {
        final long outageNs = cycles.stream()
            .filter((cycle) -> steps.stream().anyMatch((step) -> step.cycle() == cycle.number()))
            .mapToLong(Cycle::outageNs).sum();
        return new FailoverDocument.Rollout(
            stored(plan.from().version()), stored(plan.to().version()), plan.isAndBack(), plan.stepCount(), outageNs,
            List.copyOf(steps));
    }

    private static FailoverDocument.Version stored(final MemberVersion version)
    {
        return new FailoverDocument.Version(version.version(), version.commit(), version.aeron());
    }

    /** A step has ended; problems as a sentence each. Call it before the next one begins. */
    List<String> onCycle(final Cycle cycle)
    {
        final List<String> problems = new ArrayList<>();
        final int step = doneCount + 1;
        for (final int memberId : cycle.victims())
        {
            final ClusterMember member = cluster.members().get(memberId);
            final MemberVersion before = plan.before(step).version();
            final MemberVersion after = plan.after(step).version();
            final MemberVersion running = MemberVersion.of(member).orElse(null);
            final Long loadNs = loadNs(member);
            steps.add(new FailoverDocument.Step(
                cycle.number(), memberId, memberId == cycle.leaderBefore(), stored(before), stored(after),
                null == running ? null : stored(running), loadNs));
            if (cycle.isRecovered() && !after.equals(running))
            {
                problems.add(
                    "member " + memberId + " runs " + (null == running ? "an unknown version" : running.text()) +
                    " after step " + cycle.number() + ", not " + after.text());
            }
            if (cycle.isRecovered() && null == loadNs)
            {
                problems.add(
                    "member " + memberId + " did not start from a snapshot of " + before.text() + " in step " + cycle.number());
            }
            replaced.add(memberId);
        }

        if (cycle.isRecovered())
        {
            doneCount++;
            if (replaced.size() == plan.memberCount())
            {
                replaced.clear();
            }
        }
        else if (!cycle.isInterrupted())
        {
            isStopped = true;
            problems.add(stopText(cycle, step));
        }
        return problems;
    }

    private String stopText(final Cycle cycle, final int step)
    {
        final StringBuilder text =
            new StringBuilder("the rollout stopped at step ").append(step).append(" of ").append(plan.stepCount());
        cycle.victims().forEach((memberId) -> text.append(": ").append(state(cluster.members().get(memberId))));
        final long servingCount = cluster.members().stream()
            .filter((member) -> member.counters().map(MemberCounters::isSettled).orElse(false)).count();
        text.append("; ").append(servingCount).append(" of ").append(plan.memberCount()).append(" members serve");
        return text.append(replaced.isEmpty() ? "; none was replaced" :
            "; to go back, start " + (1 == replaced.size() ? "member " : "members ") +
            replaced.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ")) + " from " +
            plan.before(step).path() + " again").toString();
    }

    private static String state(final ClusterMember member)
    {
        try
        {
            return member.isAlive() ?
                "member " + member.memberId() + " runs, but did not catch up in time; its output is in " + member.logFile() :
                Endings.reasonOf(member);
        }
        catch (final ControlFailure ex)
        {
            return "member " + member.memberId() + ": " + ex.getMessage();
        }
    }

    /** Time in which its service loaded the snapshot that it started from, in ns; null if it loaded none. */
    private static Long loadNs(final ClusterMember member)
    {
        return member.counters().map((counters) -> counters.service().get(ServiceCounter.LOAD_TIME))
            .filter((timeNs) -> timeNs > 0).orElse(null);
    }

    /** The member to be replaced next; empty if none is left. Call it when the cluster is settled. */
    List<ClusterMember> next()
    {
        final int leaderId = cluster.leader().map(ClusterMember::memberId).orElse(-1);
        final List<ClusterMember> left =
            cluster.members().stream().filter((member) -> !replaced.contains(member.memberId())).toList();
        return left.stream().filter((member) -> member.memberId() != leaderId).findFirst()
            .or(() -> left.stream().findFirst()).stream().toList();
    }

    /** A victim whose process has ended is about to be started again. */
    void prepareReturn(final ClusterMember member)
    {
        member.useJar(plan.after(doneCount + 1).path());
    }

    /**
     * Plan of a rollout: in each step one member is stopped in an orderly way and started from another jar, the leader last.
     *
     * @param memberCount number of members, and of the steps of a pass.
     * @param isAndBack   whether a second pass returns to the first jar.
     */
    public record Plan(NodeJar from, NodeJar to, int memberCount, boolean isAndBack)
    {
        public int stepCount()
        {
            return isAndBack ? 2 * memberCount : memberCount;
        }

        /** The jar from which a step, counted from 1, starts its member. */
        NodeJar after(final int step)
        {
            return step <= memberCount ? to : from;
        }

        /** The jar that a step, counted from 1, replaces. */
        NodeJar before(final int step)
        {
            return step <= memberCount ? from : to;
        }
    }
}
