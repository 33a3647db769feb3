package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.cluster.TimeoutPreset;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.control.member.NodeJar;
import io.clusterecho.failover.lab.FailoverPlan;
import io.clusterecho.failover.lab.FailoverTest;
import io.clusterecho.failover.lab.Fault;
import io.clusterecho.failover.lab.FaultScript;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.Faults;
import io.clusterecho.failover.lab.PlannedFault;
import io.clusterecho.failover.lab.Rollout;
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
    without = {
        "--(endpoints|aeron-dir)", "--transport.*", "--memory-.*", "--client.*", "--trace.*", LoadCommand.Options.BESIDE })
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
        config.load().checkMemory(durationNs > 0 ? durationNs : cycleCount * pace.gapNs, longestNs);
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
        InvalidSettingException.throwIf(
            config.target().isIpc(), TargetConfig.IPC, true,
            "not given in a failover test: no leader but the one with this driver can be reached");
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
                "): stop the cluster first, or leave out the options or the fault that needs them");
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
        first(specs, Fault.Trait.OF_DISK).ifPresent((fault) -> cluster.cluster().members().forEach((member) ->
        {
            try
            {
                member.disk(DiskAction.CHECK);
            }
            catch (final ControlFailure ex)
            {
                throw new InvalidSettingException("--fault", fault, "members with disks of their own; " + ex.getMessage());
            }
        }));
    }

    private static Optional<FaultSpec> first(final List<FaultSpec> specs, final Fault.Trait trait)
    {
        return specs.stream().filter((one) -> one.fault().is(trait)).findFirst();
    }

    /** Settings of a cluster that the test starts. */
    Settings settings(final RunConfig config, final List<FaultSpec> specs)
    {
        final Settings settings = asked(specs, library(specs, ""));
        config.load().codec().checkService(settings.text(NodeSettings.SERVICE_CLASS), null);
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

    /** Faults under load, on a cluster of this machine. */
    @Command(
        name = "failover",
        header = "Inject faults under load, and audit what was lost.",
        description = {
            "",
            "Uses the cluster that runs in --base-dir, or starts one there and stops it afterwards. Messages are sent at " +
            "their intended times throughout, which measures each outage. At the end the members' logs are compared with the " +
            "client's journal of acknowledged messages." })
    @CommandHelp(
        examples = {
            "load-client failover",
            "load-client failover --cycles 20 --timeouts fast --assert 'outage.max<5s'",
            "load-client failover --fault kill,pause,partition --victim leader,follower --cycles 6" },
        mostUsed = {
            "--fault", "--victim", "--cycles", "--timeouts", "--return-after", "--rate", "--size", "--delivery", "--label",
            "--json" },
        declared = { FailoverCommand.Cycles.class, FaultCommand.Injection.class })
    static final class FailoverCommand extends FaultCommand
    {
        @Option(names = "--fault", paramLabel = "LIST", defaultValue = "kill", split = ",",
            description = "Faults, such as kill,pause,partition; a list is used round-robin. kill (SIGKILL), kill-again:TIME " +
            "(and again, TIME after the restart), kill-in-snapshot:TIME (TIME after the snapshot was requested), term " +
            "(SIGTERM), pause (SIGSTOP), wipe (SIGKILL, data deleted), partition (all datagrams dropped), partition-inbound, " +
            "partition-outbound, partition-pair (of leader and follower), partition-clients, link-loss:10%%, link-delay:20ms, " +
            "link-jitter:20ms, link-duplicate:10%%, link-reorder:10%% (of datagrams received), power-loss (SIGKILL, unsynced " +
            "data lost), disk-stall, disk-full, slow-disk:TIME, write-stall, sync-error:COUNT, disk-full-after:SIZE, " +
            "clock-step:TIME (slow-disk to clock-step need a fault library), file-limit:COUNT or script (--fault-script). " +
            "Default: ${DEFAULT-VALUE}.")
        private List<FaultSpec> faults;

        @Option(names = "--victim", paramLabel = "LIST", defaultValue = "leader", split = ",",
            description = "leader, follower, followers (all), all, each (round-robin), or a member id; a list is used " +
            "round-robin. Default: ${DEFAULT-VALUE}.")
        private List<String> victims;

        /** Number of faults. */
        record Cycles(
            @LoadOption(names = "--cycles", label = "N", byDefault = "5", kind = LoadOption.Kind.COUNT,
                text = "Number of faults. Default: ${DEFAULT-VALUE}.")
            int count,
            @LoadOption(names = "--for", label = "TIME", byDefault = "0s", kind = LoadOption.Kind.TIME,
                text = "Start new cycles for this long, instead of --cycles. Default: off.")
            long durationNs)
        {
        }

        @Override
        public Integer call()
        {
            final Cycles cycles = options.read(Cycles.class, Map.of());
            return execute(faults, victims, PlannedFault.roundRobin(faults, victims, config().load().seed()),
                cycles.count, cycles.durationNs);
        }
    }

    /** Faults of all kinds, drawn at random. */
    @Command(
        name = "chaos",
        header = "Inject random faults under load, and audit what was lost.",
        description = {
            "",
            "A failover test whose faults and victims are drawn by --seed: the same options inject the same faults again." })
    @CommandHelp(
        examples = {
            "load-client chaos --for 1h --seed 7 --timeouts fast",
            "load-client chaos --fault kill,partition,pause --victim leader,follower" },
        mostUsed = {
            "--for", "--seed", "--fault", "--victim", "--overlap", "--timeouts", "--rate", "--delivery", "--label",
            "--json" },
        declared = { ChaosCommand.Draw.class, FaultCommand.Injection.class })
    static final class ChaosCommand extends FaultCommand
    {
        private static final List<String> DEFAULT_VICTIMS = List.of("leader", "follower", "followers", "all");

        /** How long faults are drawn. */
        record Draw(
            @LoadOption(names = "--for", label = "TIME", byDefault = "10m", kind = LoadOption.Kind.TIME,
                text = "Start new cycles for this long. Default: ${DEFAULT-VALUE}.")
            long durationNs,
            @LoadOption(names = "--overlap", label = "TIME", byDefault = "0s", kind = LoadOption.Kind.TIME,
                text = "Inject a second fault in each cycle, drawn like the first, up to this long after it, into members that " +
                "the first does not affect at that time. Not with wipe, and never two disk faults. Default: none.")
            long overlapNs)
        {
        }

        @Option(names = "--fault", paramLabel = "LIST", split = ",",
            description = "Draw from these faults, as in failover. Default: all that need no other option: " +
            "--allow-disk-faults adds those of disks.")
        private List<FaultSpec> faults;

        @Option(names = "--victim", paramLabel = "LIST", split = ",",
            description = "Draw from these victims, as in failover. Default: leader,follower,followers,all.")
        private List<String> victims;

        @Override
        public Integer call()
        {
            final List<String> candidates = null == victims ? DEFAULT_VICTIMS : victims;
            final List<FaultSpec> specs = null == faults ? possible(candidates) : faults;
            final Draw draw = options.read(Draw.class, Map.of());
            return execute(specs, candidates, PlannedFault.random(specs, candidates, config().load().seed(), draw.overlapNs),
                0, draw.durationNs);
        }

        private List<FaultSpec> possible(final List<String> candidates)
        {
            return Faults.ALL.stream()
                .filter((fault) -> !fault.is(Fault.Trait.OF_SCRIPT) && !fault.is(Fault.Trait.OF_CALLS) &&
                    (!fault.is(Fault.Trait.OF_DISK) || injection().isDiskFaultAllowed()))
                .map(Fault::name).map(FaultSpec::parse)
                .filter((one) -> candidates.stream().anyMatch((victim) -> new PlannedFault(one, victim, 0).isAllowed()))
                .toList();
        }
    }

    /** Another version on all members of a cluster, one after the other, under load. */
    @Command(
        name = "rollout",
        header = "Replace the version of all members under load.",
        description = {
            "",
            "Uses the cluster of version --from that runs in --base-dir, or starts one there and stops it afterwards. Each " +
            "member takes a snapshot, is stopped in an orderly way (SIGTERM) and started from the jar --to, once the others " +
            "serve without it: the followers first, the leader last. The next follows when it has caught up and the backlog is " +
            "gone. A step that fails ends the rollout; the other members keep running. At the end the logs of all members are " +
            "audited." },
        exitCodeList = {
            "  0:all members run the new version, and nothing acknowledged was lost",
            "  1:internal error",
            "  2:usage: the message names the option, its value and what is allowed",
            "  3:no cluster, or no session with it",
            "  4:a step failed, the audit has findings, or the client stalled: the result names the reasons",
            " 99:a condition of --assert failed",
            "130:interrupted; what was measured is kept" })
    @CommandHelp(
        examples = {
            "load-client rollout --from cluster-node.jar --to new/cluster-node.jar",
            "load-client rollout --from old/cluster-node.jar --to cluster-node.jar --and-back --rate 5k" },
        mostUsed = {
            "--from", "--to", "--and-back", "--rate", "--size", "--timeouts", "--delivery", "--label", "--output", "--json" },
        without = "--inventory")
    static final class RolloutCommand extends FaultCommand
    {
        @Option(names = "--from", paramLabel = "JAR", required = true,
            description = "The cluster-node.jar that all members run at the beginning.")
        private Path from;

        @Option(names = "--to", paramLabel = "JAR", required = true, description = "The cluster-node.jar that replaces it.")
        private Path to;

        @Option(names = "--and-back", description = "Return to --from afterwards, in the same way.")
        private boolean isAndBack;

        @Override
        public Integer call()
        {
            final NodeJar fromJar = NodeJar.read("--from", from);
            final NodeJar toJar = NodeJar.read("--to", to);
            InvalidSettingException.throwIf(fromJar.path().equals(toJar.path()), "--to", to, "another jar than --from");

            final RunConfig config = checkedConfig();
            final List<FaultSpec> specs = List.of(FaultSpec.parse("term"));
            final TestCluster cluster = TestCluster.runningOrOwn(
                config.target().clusterDir(), null, fromJar.path(), () -> settings(config, specs), print::progress);
            final Rollout.Plan rollout = new Rollout.Plan(fromJar, toJar, cluster.cluster().members().size(), isAndBack);
            final long longestNs = rollout.stepCount() * pace().cycleNs();
            config.load().checkMemory(rollout.stepCount() * pace().gapNs(), longestNs);
            checkRunning(config, cluster, specs);
            final int memberCount = cluster.cluster().members().size();
            InvalidSettingException.throwIf(
                memberCount < 3, NodeSettings.HOSTS.key(), memberCount + " members",
                "3 or more: fewer do not serve without one of them");
            if (!cluster.isOwn())
            {
                checkVersions(cluster, fromJar);
            }
            return test(config, FailoverPlan.of(rollout, pace().gapNs(), pace().limitNs()), cluster, longestNs, () -> {});
        }

        private static void checkVersions(final TestCluster cluster, final NodeJar from)
        {
            for (final ClusterMember member : cluster.cluster().members())
            {
                final Optional<MemberVersion> running = MemberVersion.of(member);
                InvalidSettingException.throwIf(
                    running.isEmpty() || !running.get().equals(from.version()), "--from", from.path(),
                    "the jar that the running members were started from: member " + member.memberId() + " runs " +
                    running.map(MemberVersion::text).orElse("an unknown version") + ", the jar is " + from.version().text());
            }
        }
    }
}
