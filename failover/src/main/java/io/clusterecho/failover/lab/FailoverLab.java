package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

import io.clusterecho.client.load.LoadView;
import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ElectionWatch;

import org.agrona.concurrent.NanoClock;

/**
 * Injects faults into a cluster, one cycle after the other, while a load goes on. {@link #execute()} is called once, by the
 * thread that owns the cluster; any thread may call {@link #requestEnd()}. Nothing that members, hosts or those who keep its
 * results do ends it with an exception.
 */
public final class FailoverLab
{
    /**
     * Time between two looks at cluster and load, in ns.
     */
    public static final long LOOK_INTERVAL_NS = 20_000_000L;

    private final FailoverPlan plan;
    private final LabCluster cluster;
    private final LoadView load;
    private final long scheduleStartNs;
    private final long ratePerSecond;
    private final NanoClock clock;
    private final Runnable pause;
    private final Observer observer;
    private final SplittableRandom random;
    private final List<Cycle> cycles = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private volatile boolean isEndRequested;
    private ElectionWatch elections;
    private FaultCycle present;
    private long beginNs;
    private long pauseEndNs;
    private int turn;
    private boolean isLast;

    /**
     * Learns what the lab does, on its thread. What it throws becomes a problem of the test.
     */
    public interface Observer
    {
        /**
         * Something happened.
         *
         * @param line for a person.
         */
        void onProgress(String line);

        /**
         * A cycle has ended.
         *
         * @param cycle of which the outage is known as well as looks can tell.
         * @param soFar all cycles, this one included.
         */
        void onCycle(Cycle cycle, List<Cycle> soFar);

        /**
         * A cycle did not recover, and nothing was done about it yet.
         *
         * @param cycle that ended.
         */
        void onUnrecovered(Cycle cycle);
    }

    /**
     * A lab for a cluster of real processes.
     *
     * @param plan            of the cycles.
     * @param cluster         which runs.
     * @param load            which runs.
     * @param scheduleStartNs of the load.
     * @param ratePerSecond   of the load.
     * @param clock           of the load, in ns.
     * @param pause           lets {@link #LOOK_INTERVAL_NS} pass on that clock.
     * @param observer        of what happens.
     * @return which has not begun.
     */
    public static FailoverLab of(
        final FailoverPlan plan,
        final Cluster cluster,
        final LoadView load,
        final long scheduleStartNs,
        final long ratePerSecond,
        final NanoClock clock,
        final Runnable pause,
        final Observer observer)
    {
        return new FailoverLab(
            plan, LabCluster.of(cluster), load, scheduleStartNs, ratePerSecond, clock, pause, observer);
    }

    /**
     * A lab that has not begun.
     *
     * @param plan            of the cycles.
     * @param cluster         which runs.
     * @param load            which runs.
     * @param scheduleStartNs of the load.
     * @param ratePerSecond   of the load.
     * @param clock           of load and cluster, in ns.
     * @param pause           lets {@link #LOOK_INTERVAL_NS} pass on that clock.
     * @param observer        of what happens.
     */
    FailoverLab(
        final FailoverPlan plan,
        final LabCluster cluster,
        final LoadView load,
        final long scheduleStartNs,
        final long ratePerSecond,
        final NanoClock clock,
        final Runnable pause,
        final Observer observer)
    {
        this.plan = plan;
        this.cluster = cluster;
        this.load = load;
        this.scheduleStartNs = scheduleStartNs;
        this.ratePerSecond = ratePerSecond;
        this.clock = clock;
        this.pause = pause;
        this.observer = observer;
        random = new SplittableRandom(plan.seed());
    }

    /**
     * Run all cycles. A cycle that does not recover is a result, and ends the test when its victims cannot be brought back.
     * Once the end was requested, a fault that is in effect is undone, the cluster is brought back, and no fault follows.
     *
     * @return the cycles that were run.
     */
    public List<Cycle> execute()
    {
        try (ElectionWatch watch = cluster.watchElections())
        {
            elections = watch;
            beginNs = clock.nanoTime();
            pauseEndNs = beginNs + plan.gapNs();
            while (step(clock.nanoTime()))
            {
                pause.run();
            }
        }
        catch (final RuntimeException ex)
        {
            problems.add("the test ended early: " + ex);
            keepPresent();
        }

        return List.copyOf(cycles);
    }

    /**
     * What failed beside the cycles.
     *
     * @return a sentence each.
     */
    public List<String> problems()
    {
        return List.copyOf(problems);
    }

    /**
     * End soon.
     */
    public void requestEnd()
    {
        isEndRequested = true;
    }

    private boolean step(final long nowNs)
    {
        if (null == present)
        {
            if (isEndRequested)
            {
                return false;
            }
            if (nowNs - pauseEndNs < 0)
            {
                return true;
            }
            if (isLast || !plan.isNext(cycles.size() + 1, nowNs - beginNs))
            {
                return false;
            }
            present = next(cycles.size() + 1);
        }

        if (load.isDone() && !isLast)
        {
            isLast = true;
            problems.add("the load ended during cycle " + (cycles.size() + 1) + ", so that the test ended there");
        }
        if (isEndRequested || isLast)
        {
            present.interrupt(nowNs);
        }
        if (!present.step(nowNs))
        {
            onEnd(clock.nanoTime());
        }
        return true;
    }

    /**
     * The cycle that was on when the lab itself failed.
     */
    private void keepPresent()
    {
        if (null != present && present.isInjected())
        {
            cycles.add(present.result(clock.nanoTime()));
            problems.addAll(present.release());
            restore();
        }
    }

    private void onEnd(final long nowNs)
    {
        final FaultCycle ended = present;
        present = null;
        if (ended.isInterrupted() && !ended.isInjected())
        {
            return;
        }

        final Cycle cycle = ended.result(nowNs);
        cycles.add(cycle);
        observe(() -> observer.onCycle(cycle, List.copyOf(cycles)));
        if (!cycle.isRecovered() && !cycle.isInterrupted())
        {
            observe(() -> observer.onUnrecovered(cycle));
        }
        problems.addAll(ended.release());
        if (!cycle.isRecovered() || !plan.victimReturn().isWithinCycle())
        {
            restore();
        }
        final boolean isMore = plan.isNext(cycles.size() + 1, nowNs - beginNs);
        // The last cycle's return to normal is a part of it.
        pauseEndNs = clock.nanoTime() + (isMore && !isLast ? plan.gapNs() : CycleTimeline.AFTER_NS);
    }

    private void restore()
    {
        try
        {
            cluster.restore(plan.limitNs());
        }
        catch (final RuntimeException ex)
        {
            isLast = true;
            problems.add("the cluster did not come back after cycle " + cycles.size() + ", so that the test ended there: " +
                ex.getMessage());
        }
    }

    private void observe(final Runnable observation)
    {
        try
        {
            observation.run();
        }
        catch (final RuntimeException ex)
        {
            problems.add("cycle " + cycles.size() + " could not be kept: " + ex.getMessage());
        }
    }

    private FaultCycle next(final int number)
    {
        Fault fault = plan.faults().get(draw(plan.faults().size(), number - 1));
        String victim = plan.victims().get(draw(plan.victims().size(), number - 1));
        while (plan.isRandom() && !FailoverPlan.isAllowed(fault, victim))
        {
            fault = plan.faults().get(draw(plan.faults().size(), number - 1));
            victim = plan.victims().get(draw(plan.victims().size(), number - 1));
        }

        final String who = victim;
        return new FaultCycle(
            number, fault, (members) -> victims(members, who), plan, cluster, load, elections, scheduleStartNs, ratePerSecond);
    }

    private List<ClusterMember> victims(final LabCluster from, final String who)
    {
        final Optional<ClusterMember> leader = from.leader();
        final List<ClusterMember> followers = from.members().stream()
            .filter((member) -> leader.isPresent() && member.memberId() != leader.get().memberId()).toList();
        return switch (who)
        {
            case "leader" -> leader.stream().toList();
            case "follower" -> followers.isEmpty() ? List.of() : List.of(followers.get(random.nextInt(followers.size())));
            case "followers" -> followers;
            case "all" -> from.members();
            case "each" -> List.of(from.members().get(turn++ % from.members().size()));
            default -> from.members().stream().filter((member) -> who.equals(String.valueOf(member.memberId()))).toList();
        };
    }

    private int draw(final int count, final int number)
    {
        return plan.isRandom() ? random.nextInt(count) : number % count;
    }
}
