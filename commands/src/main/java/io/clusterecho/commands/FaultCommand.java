package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.LoadOption;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.cluster.TimeoutPreset;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.failover.lab.FailoverPlan;
import io.clusterecho.failover.lab.FailoverTest;
import io.clusterecho.failover.lab.Fault;
import io.clusterecho.failover.lab.FaultScript;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.PlannedFault;
import io.clusterecho.media.link.LinkFilter;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.reporting.document.IntervalDocument;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that injects faults under load: its options, and the test itself. */
@Command(
    exitCodeList = {
        "  0:all cycles recovered and nothing acknowledged was lost",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:no cluster, or no session with it",
        "  4:a cycle did not recover or is invalid, the audit has findings, or the client stalled: the result names the reasons",
        " 99:a condition of --assert failed",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    declared = FaultCommand.Pace.class,
    without = { "--endpoints", "--transport.*", "--memory-.*", "--client.*", "--trace.*", LoadOptions.BESIDE })
abstract class FaultCommand extends LoadCommand
{
    private static final long CYCLE_OVERHEAD_NS = 60_000_000_000L;
    /** Beside the jar. */
    private static final String LIBRARY = ".fault-library/fault-library.so";

    /** How cycles follow each other. */
    record Pace(
        @LoadOption(names = "--gap", label = "TIME", byDefault = "2s", kind = LoadOption.Kind.TIME,
            text = "Pause between a recovery and the next fault. Default: ${DEFAULT-VALUE}.")
        long gapNs,
        @LoadOption(names = "--limit", label = "TIME", byDefault = "60s", kind = LoadOption.Kind.TIME,
            text = "Recovery timeout of a cycle. Default: ${DEFAULT-VALUE}.")
        long limitNs)
    {
        /** Longest time of a cycle or step, in ns. */
        long cycleNs()
        {
            return gapNs + 2 * limitNs + CYCLE_OVERHEAD_NS;
        }
    }

    @Option(names = "--timeouts", paramLabel = "NAME", defaultValue = "default",
        description = "Timeouts of a cluster that the test starts: default (Aeron's), fast or fastest. Default: " +
        "${DEFAULT-VALUE}.")
    private TimeoutPreset timeouts;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
        description = "Member setting of a cluster that the test starts; repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Mixin
    private LiveOptions live;

    /** What is injected, and when it ends: options of a command that chooses its faults. */
    record Injection(
        @LoadOption(names = "--fault-script", label = "FILE",
            text = "Program that injects and undoes the fault 'script'. Arguments: inject or undo, the member's id, the " +
            "pid of its process.")
        Path script,
        @LoadOption(names = "--allow-disk-faults",
            text = "Confirm faults of the members' disks: power-loss, disk-stall, disk-full. Only for disks made by " +
            "scripts/disk-lab.sh, on a disposable machine.")
        boolean isDiskFaultAllowed,
        @LoadOption(names = "--return-after", label = "TIME", byDefault = "auto",
            text = "When the victim is restarted, resumed or healed; a time after the fault, or auto (once replies " +
            "flow again, at least 3s after the fault; without a quorum after 3s). Default: ${DEFAULT-VALUE}.")
        FailoverPlan.VictimReturn victimReturn,
        @LoadOption(names = "--snapshot", text = "Take a snapshot before each fault.")
        boolean isSnapshotting)
    {
        private void check(final List<FaultSpec> specs, final List<String> victims)
        {
            if (first(specs, Fault.Trait.OF_SCRIPT).isPresent() == (null == script))
            {
                throw null == script ?
                    new InvalidSettingException("--fault script needs --fault-script, the program that injects the fault") :
                    new InvalidSettingException("--fault-script", script, "it needs --fault script");
            }
            first(specs, Fault.Trait.OF_DISK).ifPresent((fault) -> InvalidSettingException.throwIf(
                !isDiskFaultAllowed, "--fault", fault,
                "with --allow-disk-faults, because it acts on the file systems of the members"));
            for (final String victim : victims)
            {
                InvalidSettingException.throwIf(
                    !PlannedFault.VICTIMS.contains(victim) && !victim.matches("[0-9]{1,2}"), "--victim", victim,
                    String.join(", ", PlannedFault.VICTIMS) + ", or a member id");
            }
        }
    }

    long seed()
    {
        return config().load().seed();
    }

    /** Run a test of so many cycles, or of a duration if that is not 0. */
    int execute(
        final List<FaultSpec> specs, final List<String> victims, final IntFunction<PlannedFault> sequence, final int cycleCount,
        final long durationNs)
    {
        final Injection injection = injection();
        final Pace pace = pace();
        final FailoverPlan plan = new FailoverPlan(
            cycleCount, durationNs, sequence, pace.gapNs, injection.victimReturn, pace.limitNs, injection.isSnapshotting,
            false, 0, null == injection.script ? null : new FaultScript(injection.script), null);
        final long longestNs = durationNs > 0 ? durationNs + pace.cycleNs() : cycleCount * pace.cycleNs();
        final RunConfig config = checkedConfig();
        config.load().checkMemory(longestNs);
        injection.check(specs, victims);

        final TestCluster cluster = TestCluster.runningOrOwn(
            config.target().clusterDir(), config.target().inventory(), null, () -> settings(config, specs), print::progress);
        checkRunning(config, cluster, specs);
        return test(config, plan, cluster, longestNs, () ->
        {
            checkDisks(cluster, specs);
            new Target(config).checkDisks("--for", durationNs);
        });
    }

    /** The configuration of a load whose rate does not vary: silence is taken for an outage. */
    RunConfig checkedConfig()
    {
        final RunConfig config = config();
        config.load().ratePerSecond();
        config.load().checkFixedWarmUp(spec.name());
        return config;
    }

    Injection injection()
    {
        return options.read(Injection.class, Map.of());
    }

    Pace pace()
    {
        return options.read(Pace.class, Map.of());
    }

    /** @param afterStart checks that need the running members. */
    int test(
        final RunConfig config, final FailoverPlan plan, final TestCluster cluster, final long longestNs,
        final Runnable afterStart)
    {
        final List<IntervalListener> lines = live.lines(print).stream().map(IntervalDocument::printer).toList();
        final EndRequest endRequest = EndRequest.onSignals(cluster::abandon);
        try
        {
            endRequest.waitFor(cluster::start);
            if (endRequest.isRequested())
            {
                return ExitCode.INTERRUPTED;
            }
            afterStart.run();
            final FailoverTest.Result result =
                new FailoverTest(config, plan, cluster, endRequest, lines, print::progress).execute(longestNs);
            print.result(result.json(), live.result(result.json(), result.text()), config.thresholds());
            return result.exitStatus();
        }
        catch (final ControlFailure | NotConnectedException ex)
        {
            if (endRequest.isRequested())
            {
                System.err.println("interrupted before the load began; nothing was measured");
                return ExitCode.INTERRUPTED;
            }
            throw ex;
        }
        finally
        {
            cluster.close();
        }
    }

    /** A running cluster keeps its settings: others on the command line are an error: a number would be taken for theirs. */
    void checkRunning(final RunConfig config, final TestCluster cluster, final List<FaultSpec> specs)
    {
        InvalidSettingException.throwIf(
            cluster.cluster().config().isPlainService(), NodeSettings.SERVICE.key(), "plain",
            "echo: the audit of a failover test needs it");
        checkAddresses(cluster, specs);
        if (!cluster.isOwn())
        {
            final Settings asked = asked(specs, library(specs, cluster.cluster().config().value(NodeSettings.FAULT_LIBRARY)));
            if (isGiven("--timeouts"))
            {
                timeouts.applyAll(asked);
            }
            final List<String> differences = cluster.cluster().differences(asked);
            InvalidSettingException.throwIf(
                !differences.isEmpty(), "--base-dir", config.target().clusterDir(),
                "a folder without a running cluster, or with one that has these settings (" + String.join("; ", differences) +
                "): stop the cluster first, or leave the options out");
        }
    }

    private static void checkAddresses(final TestCluster cluster, final List<FaultSpec> specs)
    {
        first(specs, Fault.Trait.OF_ADDRESSES).ifPresent((fault) ->
            InvalidSettingException.throwIf(
                LinkFilter.distinctAddresses(cluster.cluster().config().value(NodeSettings.HOSTS)).isEmpty(), "--fault", fault,
                "members with a different address each: start the cluster with " + NodeSettings.PLACEMENT.key() + "=" +
                Placement.CLUSTER + ", or list others with --fault"));
    }

    private static void checkDisks(final TestCluster cluster, final List<FaultSpec> specs)
    {
        for (final ClusterMember member : cluster.cluster().members())
        {
            first(specs, Fault.Trait.OF_DISK).ifPresent((fault) ->
            {
                try
                {
                    member.disk(DiskAction.CHECK);
                }
                catch (final ControlFailure ex)
                {
                    throw new InvalidSettingException("--fault", fault, "members with disks of their own; " + ex.getMessage());
                }
            });
        }
    }

    private static Optional<FaultSpec> first(final List<FaultSpec> specs, final Fault.Trait trait)
    {
        return specs.stream().filter((one) -> one.fault().is(trait)).findFirst();
    }

    /** Settings of a cluster that the test starts. */
    Settings settings(final RunConfig config, final List<FaultSpec> specs)
    {
        final Settings settings = asked(specs, library(specs, ""));
        settings.put(NodeSettings.BASE_DIR.key(), config.target().clusterDir().toString(), "--base-dir");
        config.driver().addTo(settings);
        if (null != config.target().inventory())
        {
            config.target().inventory().putHosts(settings, null);
        }
        else if (first(specs, Fault.Trait.OF_ADDRESSES).isPresent() && !settings.isGiven(NodeSettings.PLACEMENT))
        {
            settings.put(NodeSettings.PLACEMENT.key(), Placement.CLUSTER, "--fault");
        }
        return settings;
    }

    /** The library that faults of system calls need: that of the members that run, if any; empty if none is needed. */
    private String library(final List<FaultSpec> specs, final String present)
    {
        final Optional<FaultSpec> fault = first(specs, Fault.Trait.OF_CALLS);
        if (fault.isEmpty() || assignments.stream().anyMatch((one) -> one.startsWith(NodeSettings.FAULT_LIBRARY.key() + "=")))
        {
            return "";
        }

        final Path built = JavaCommand.placeOf(FaultCommand.class).resolveSibling(LIBRARY);
        InvalidSettingException.throwIf(
            present.isEmpty() && !Files.isRegularFile(built), "--fault", fault.get(),
            "with a fault library: build " + built + " with scripts/build-fault-library.sh, or set " +
            NodeSettings.FAULT_LIBRARY.key());

        return present.isEmpty() ? built.toString() : present;
    }

    /** Settings from the command line, and what the faults need. */
    private Settings asked(final List<FaultSpec> specs, final String library)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        timeouts.apply(settings);
        first(specs, Fault.Trait.OF_LINK).ifPresent(
            (fault) -> settings.put(NodeSettings.FAULT_FILTER.key(), "true", "--fault " + fault));
        if (!library.isEmpty())
        {
            settings.put(NodeSettings.FAULT_LIBRARY.key(), library, "--fault");
        }
        settings.putAssignments(assignments, "--set");
        return settings;
    }
}
