package io.clusterecho.failover.lab;

import java.util.List;
import java.util.function.Consumer;

import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.sweep.Cell;
import io.clusterecho.client.sweep.Dimension;
import io.clusterecho.client.sweep.SweepExecution;
import io.clusterecho.client.sweep.SweepPlan;
import io.clusterecho.settings.Quantity;

/** Failover tests of a sweep: one fault of one follower each. */
public final class FollowerFaults
{
    private static final List<String> FAULTS = List.of(Dimension.NONE, "kill", "term", "pause", "wipe");
    private static final long LIMIT_NS = 120_000_000_000L;

    /** Reject a sweep that cannot have one of its faults, or has a setting that a failover test would ignore. */
    public static void check(final SweepPlan plan, final RunConfig config)
    {
        plan.require(
            Dimension.FAULT, FAULTS::contains, "none, kill, term, pause or wipe: one that a follower returns from");
        if (plan.values().get(Dimension.FAULT).stream().allMatch(Dimension.NONE::equals))
        {
            return;
        }
        // Otherwise its numbers would be those of another cell.
        plan.require(
            Dimension.MEMBERS, (count) -> Integer.parseInt(count) >= 3,
            "3 or more with a fault, because the others serve meanwhile");
        plan.require(Dimension.CHURN, "0"::equals, "0 with a fault: in a failover test no sessions come and go");
        plan.require(
            Dimension.SNAPSHOT_EVERY, Dimension.NONE::equals,
            "none with a fault: the only snapshot of a failover test is that of before-fault");
        if (plan.values().get(Dimension.BEFORE_FAULT).contains(Dimension.NONE))
        {
            plan.require(
                Dimension.LOG_LENGTH, "0"::equals,
                "0 where before-fault is none: the log of a cluster grows from one cell to the next");
        }
        plan.require(
            Dimension.RATE, (rate) -> !Dimension.MAX.equals(rate),
            "rates in numbers with a fault, which interrupts a search for the highest one");
        config.clients().checkAlone("a fault of a sweep");
    }

    /** @throws io.clusterecho.client.transport.NotConnectedException if no session could be opened in time. */
    public static SweepExecution.FaultRun measure(
        final RunConfig config, final Cell cell, final EndRequest endRequest, final Consumer<String> progress)
    {
        final TestCluster cluster = TestCluster.runningOrOwn(
            config.target().clusterDir(), config.target().inventory(), null, () ->
            {
                throw new IllegalStateException("the cluster of the sweep has ended");
            },
            progress);
        final List<FaultSpec> faults = List.of(FaultSpec.parse(cell.value(Dimension.FAULT)));
        final long logLength = Long.parseLong(cell.value(Dimension.LOG_LENGTH));
        final String before = cell.value(Dimension.BEFORE_FAULT);
        final FailoverPlan plan = new FailoverPlan(
            1, 0, PlannedFault.roundRobin(faults, List.of(PlannedFault.FOLLOWER), config.load().seed()), 0,
            new FailoverPlan.VictimReturn(false, Quantity.parseDurationNs(cell.value(Dimension.AWAY))), LIMIT_NS,
            !Dimension.NONE.equals(before), Dimension.PURGE.equals(before), logLength, null, null);
        // The log grows by more than the messages alone, and may grow at half the rate.
        final long growthNs = Math.round(
            2e9 * logLength / config.load().ratePerSecond() / config.load().messages().lengthBytes(0));
        final FailoverTest.Result result =
            new FailoverTest(config, plan, cluster, endRequest, List.of(), progress).execute(growthNs + 4 * LIMIT_NS);
        return new SweepExecution.FaultRun(result.run(), result.cycles().stream().findFirst().orElse(null));
    }
}
