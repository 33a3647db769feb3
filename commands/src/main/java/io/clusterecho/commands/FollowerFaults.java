package io.clusterecho.commands;

import java.util.List;
import java.util.function.Consumer;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.EndRequest;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.sweep.Cell;
import io.clusterecho.client.sweep.Dimension;
import io.clusterecho.client.sweep.FaultRuns;
import io.clusterecho.client.sweep.SweepPlan;
import io.clusterecho.failover.lab.FailoverPlan;
import io.clusterecho.failover.lab.FailoverTest;
import io.clusterecho.failover.lab.Fault;
import io.clusterecho.failover.lab.FaultSequence;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.VictimReturn;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/** Failover tests of a sweep: one fault of one follower each. */
final class FollowerFaults implements FaultRuns
{
    private static final List<Fault> ALLOWED = List.of(Fault.KILL, Fault.TERM, Fault.PAUSE, Fault.WIPE);
    private static final List<String> FOLLOWER = List.of("follower");
    private static final long LIMIT_NS = 120_000_000_000L;
    private static final double NS_PER_S = 1e9;

    private final EndRequest endRequest;
    private final Consumer<String> progress;

    FollowerFaults(final EndRequest endRequest, final Consumer<String> progress)
    {
        this.endRequest = endRequest;
        this.progress = progress;
    }

    /**
     * Check the faults of a sweep before anything is started.
     *
     * @throws InvalidSettingException if a sweep cannot have one of them, or not with another setting.
     */
    static void check(final SweepPlan plan, final RunConfig config)
    {
        final List<String> faults =
            plan.values().get(Dimension.FAULT).stream().filter((text) -> !Dimension.NONE.equals(text)).toList();
        for (final String text : faults)
        {
            if (ALLOWED.stream().noneMatch((fault) -> fault.toString().equals(text)))
            {
                throw new InvalidSettingException(
                    Dimension.FAULT.key(), text, "none, kill, term, pause or wipe: one that a follower returns from");
            }
        }
        if (!faults.isEmpty())
        {
            checkOthers(plan, config);
        }
    }

    /** What a failover test would ignore: its numbers would be those of another cell. */
    private static void checkOthers(final SweepPlan plan, final RunConfig config)
    {
        if (plan.values().get(Dimension.MEMBERS).stream().anyMatch((count) -> Integer.parseInt(count) < 3))
        {
            throw new InvalidSettingException(
                Dimension.MEMBERS.key(), String.join(",", plan.values().get(Dimension.MEMBERS)),
                "3 or more with a fault, because the others serve meanwhile");
        }
        if (isOther(plan, Dimension.CHURN, "0"))
        {
            throw new InvalidSettingException(
                Dimension.CHURN.key(), String.join(",", plan.values().get(Dimension.CHURN)),
                "0 with a fault: in a failover test no sessions come and go");
        }
        if (isOther(plan, Dimension.SNAPSHOT_EVERY, Dimension.NONE))
        {
            throw new InvalidSettingException(
                Dimension.SNAPSHOT_EVERY.key(), String.join(",", plan.values().get(Dimension.SNAPSHOT_EVERY)),
                "none with a fault: the only snapshot of a failover test is that of before-fault");
        }
        if (plan.values().get(Dimension.BEFORE_FAULT).contains(Dimension.NONE) && isOther(plan, Dimension.LOG_LENGTH, "0"))
        {
            throw new InvalidSettingException(
                Dimension.LOG_LENGTH.key(), String.join(",", plan.values().get(Dimension.LOG_LENGTH)),
                "0 where before-fault is none: the log of a cluster grows from one cell to the next");
        }
        if (plan.values().get(Dimension.RATE).contains(Dimension.MAX))
        {
            throw new InvalidSettingException(
                Dimension.RATE.key(), String.join(",", plan.values().get(Dimension.RATE)),
                "rates in numbers with a fault, which interrupts a search for the highest one");
        }
        config.clients().checkAlone("a fault of a sweep");
    }

    private static boolean isOther(final SweepPlan plan, final Dimension dimension, final String value)
    {
        return plan.values().get(dimension).stream().anyMatch((one) -> !value.equals(one));
    }

    @Override
    public Hit measure(final RunConfig config, final Cell cell)
    {
        final TestCluster cluster = TestCluster.runningOrOwn(
            config.target().clusterDir(), config.target().inventory(), () ->
            {
                throw new IllegalStateException("the cluster of the sweep has ended");
            },
            progress);
        final List<FaultSpec> faults = List.of(FaultSpec.parse(cell.value(Dimension.FAULT)));
        final long logLength = Long.parseLong(cell.value(Dimension.LOG_LENGTH));
        final String before = cell.value(Dimension.BEFORE_FAULT);
        final FailoverPlan plan = new FailoverPlan(
            1, 0, FaultSequence.roundRobin(faults, FOLLOWER, config.load().seed()), 0,
            new VictimReturn(VictimReturn.Kind.AFTER, Quantity.parseDurationNs(cell.value(Dimension.AWAY))), LIMIT_NS,
            !Dimension.NONE.equals(before), Dimension.PURGE.equals(before), logLength, null, null);
        // The log grows by more than the messages alone, and may grow at half the rate.
        final long growthNs = Math.round(
            2 * NS_PER_S * logLength / config.load().ratePerSecond() / Long.parseLong(cell.value(Dimension.SIZE)));
        final FailoverTest.Result result =
            new FailoverTest(config, plan, cluster, endRequest, null, List.of(), progress).execute(growthNs + 4 * LIMIT_NS);
        return new Hit(
            result.run(), Documents.bind(Documents.parse(result.json()), FailoverDocument.class), result.folder());
    }
}
