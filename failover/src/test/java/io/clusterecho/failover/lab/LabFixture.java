package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.results.Cycle;

/** A lab on a fake cluster. Records what the lab's observer receives. */
abstract class LabFixture
{
    static final long LIMIT_NS = 20_000 * MS;
    static final long SCHEDULE_START_NS = 400 * MS;

    final List<String> kept = new ArrayList<>();
    final List<Integer> unrecovered = new ArrayList<>();
    FakeCluster cluster = new FakeCluster();
    final List<String> rolloutProblems = new ArrayList<>();
    FailoverLab lab;
    Rollout rollout;
    boolean isDiskFull;

    Cycle only(final String fault, final String victim, final String returnAfter, final int count)
    {
        final List<Cycle> cycles = execute(plan(List.of(fault), List.of(victim), returnAfter, count, false));
        assertThat(cycles).hasSize(count);
        return cycles.get(0);
    }

    static FailoverPlan plan(
        final List<String> faults,
        final List<String> victims,
        final String returnAfter,
        final int count,
        final boolean isSnapshotting)
    {
        return new FailoverPlan(
            count, 0, PlannedFault.roundRobin(faults.stream().map(FaultSpec::parse).toList(), victims, 1), 100 * MS,
            FailoverPlan.VictimReturn.parse(returnAfter), LIMIT_NS, isSnapshotting, false, 0, null, null);
    }

    List<Cycle> execute(final FailoverPlan plan)
    {
        rollout = null == plan.rollout() ? null : new Rollout(cluster, plan.rollout());
        lab = new FailoverLab(
            plan, cluster, rollout, cluster, SCHEDULE_START_NS, FakeCluster.RATE, cluster,
            (cycle, soFar) ->
            {
                if (isDiskFull)
                {
                    throw new IllegalStateException("the disk is full");
                }
                kept.add(cycle.number() + " of " + soFar.size());
                if (null != rollout)
                {
                    rolloutProblems.addAll(rollout.onCycle(cycle));
                }
                if (!cycle.isRecovered() && !cycle.isInterrupted())
                {
                    unrecovered.add(cycle.number());
                    if (null != rollout)
                    {
                        lab.requestEnd();
                    }
                }
            });
        return lab.execute();
    }
}
