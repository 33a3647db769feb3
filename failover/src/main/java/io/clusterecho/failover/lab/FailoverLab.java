package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import io.clusterecho.client.load.LoadView;
import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.reporting.results.Cycle;

/**
 * Injects faults into a cluster, one cycle after the other, while a load runs. Call {@link #execute()} once, on the thread that
 * owns the cluster; any thread may call {@link #requestEnd()}. A failure of a member, a host or the observer does not make it
 * throw.
 */
public final class FailoverLab
{
    /** Interval between two polls of cluster and load, in ns. */
    public static final long POLL_INTERVAL_NS = 20_000_000L;

    /** Id of no member. */
    static final int NONE = -1;

    final FailoverPlan plan;
    final Cluster cluster;
    /** Chooses the victims, and gives them their jars; null for other tests. */
    final Rollout rollout;
    final LoadView load;
    final long scheduleStartNs;
    final long ratePerSecond;
    final WaitClock clock;

    private final BiConsumer<Cycle, List<Cycle>> observer;
    private final List<Cycle> cycles = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private volatile boolean isEndRequested;
    private boolean isLast;

    /**
     * A lab that was not executed.
     *
     * @param observer receives each cycle when it ends, with the outage of polls and before the cluster is restored, and all
     *                 cycles so far; on the lab's thread. An exception that it throws becomes a problem of the test.
     */
    FailoverLab(
        final FailoverPlan plan, final Cluster cluster, final Rollout rollout, final LoadView load, final long scheduleStartNs,
        final long ratePerSecond, final WaitClock clock, final BiConsumer<Cycle, List<Cycle>> observer)
    {
        this.plan = plan;
        this.cluster = cluster;
        this.rollout = rollout;
        this.load = load;
        this.scheduleStartNs = scheduleStartNs;
        this.ratePerSecond = ratePerSecond;
        this.clock = clock;
        this.observer = observer;
    }

    /**
     * Run all cycles. A cycle that does not recover is a result; it ends the test only if the cluster cannot be restored. After
     * {@link #requestEnd()} a fault in effect is undone, the cluster is restored, and no other fault follows.
     */
    public List<Cycle> execute()
    {
        FaultCycle running = null;
        try (ElectionWatch watch = cluster.watchElections())
        {
            final long beginNs = clock.nanoTime();
            long pauseEndNs = beginNs + plan.gapNs();
            while (isPauseOver(pauseEndNs) && plan.isNext(cycles.size() + 1, clock.nanoTime() - beginNs))
            {
                final FaultCycle cycle = new FaultCycle(this, watch, cycles.size() + 1);
                running = cycle;
                cycle.run();
                running = null;
                if (!cycle.isInjected() && cycle.record.isInterrupted)
                {
                    break;
                }
                keep(cycle);
                final boolean isMore = !isLast && plan.isNext(cycles.size() + 1, clock.nanoTime() - beginNs);
                // The timeline of the last cycle includes the time after its last phase.
                pauseEndNs = clock.nanoTime() + (isMore ? plan.gapNs() : CycleTimeline.AFTER_NS);
            }
        }
        catch (final RuntimeException ex)
        {
            problems.add("the test ended early: " + ex);
            if (null != running && running.isInjected())
            {
                keep(running);
            }
        }

        return List.copyOf(cycles);
    }

    /** Problems other than those of the cycles, a sentence each. */
    public List<String> problems()
    {
        return List.copyOf(problems);
    }

    /** Request an early end. Any thread. */
    public void requestEnd()
    {
        isEndRequested = true;
    }

    /** Wait for the end of a pause; false if no other cycle is to follow it. */
    private boolean isPauseOver(final long endNs)
    {
        while (!isEndRequested && clock.nanoTime() - endNs < 0)
        {
            clock.park(POLL_INTERVAL_NS);
        }
        return !isEndRequested && !isLast;
    }

    /** Whether the current cycle is to end. */
    boolean isEnding()
    {
        if (load.isDone() && !isLast)
        {
            isLast = true;
            problems.add("the test ended during cycle " + (cycles.size() + 1) + " because the load had ended");
        }
        return isEndRequested || isLast;
    }

    /** Id of the member that leads now, or {@link #NONE} if there is none or a host does not answer. */
    int leaderId()
    {
        try
        {
            return cluster.leader().map(ClusterMember::memberId).orElse(NONE);
        }
        catch (final RuntimeException ex)
        {
            return NONE;
        }
    }

    /** Commit position of the leader in bytes, or -1 if there is none. */
    long commitPosition()
    {
        return cluster.members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
            .filter(MemberCounters::isLeader).mapToLong(MemberCounters::commitPosition).max().orElse(-1);
    }

    private void keep(final FaultCycle ended)
    {
        final Cycle cycle = ended.result(clock.nanoTime());
        cycles.add(cycle);
        try
        {
            observer.accept(cycle, List.copyOf(cycles));
        }
        catch (final RuntimeException ex)
        {
            problems.add("cycle " + cycles.size() + " could not be written: " + ex.getMessage());
        }
        problems.addAll(ended.release());
        if (!cycle.isRecovered())
        {
            restore();
        }
    }

    private void restore()
    {
        try
        {
            if (null == rollout || !rollout.isStopped)
            {
                cluster.resume();
                cluster.start(Deadline.in(plan.limitNs()), (line) -> { });
            }
        }
        catch (final RuntimeException ex)
        {
            isLast = true;
            problems.add("the test ended after cycle " + cycles.size() + " because the cluster did not come back: " +
                ex.getMessage());
        }
    }
}
