package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.series.EndRequest;
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
import io.clusterecho.failover.lab.VictimReturn;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.reporting.document.IntervalLines;
import io.clusterecho.reporting.report.LiveServer;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Faults under load, on a cluster of this machine.
 */
@Command(
    name = "failover",
    mixinStandardHelpOptions = true,
    header = "Inject faults under load, measure each outage, and audit what was lost.",
    description = {
        "",
        "Uses the cluster that runs in --cluster-dir, or starts one there and stops it afterwards. Messages are sent at " +
        "their intended times throughout. At the end the members' logs are compared with the client's journal of " +
        "acknowledged messages." },
    exitCodeList = {
        "  0:all cycles recovered and nothing acknowledged was lost",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:no cluster, or no session with it",
        "  4:a cycle did not recover or is invalid, the audit has findings, or the client stalled: the result names the reasons",
        " 99:a condition of --assert failed",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "java -jar load-client.jar failover",
        "java -jar load-client.jar failover --cycles 20 --timeouts fast --assert 'outage.max<5s'",
        "java -jar load-client.jar failover --fault kill,pause,partition --victim leader,follower --random" },
    mostUsed = {
        "--fault", "--victim", "--cycles", "--timeouts", "--return-after", "--rate", "--size", "--delivery", "--label",
        "--json" },
    refused = {
        "--endpoints", "--transport", "--transport-set", "--memory-delay", "--memory-stall", "--clients",
        "--client-command", "--client-timeout" })
public final class FailoverCommand implements Callable<Integer>
{
    private static final long CYCLE_OVERHEAD_NS = 60_000_000_000L;
    private static final List<String> VICTIMS = List.of("leader", "follower", "followers", "all", "each");

    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Option(names = "--fault", paramLabel = "LIST", defaultValue = "kill", split = ",",
        description = "kill (SIGKILL), term (SIGTERM), pause (SIGSTOP), wipe (SIGKILL, data deleted), partition (all datagrams " +
        "dropped), partition-inbound, partition-outbound, power-loss (SIGKILL, unsynced data lost), disk-stall, disk-full or " +
        "script (--fault-script); a list is used round-robin. Default: ${DEFAULT-VALUE}.")
    private List<Fault> faults;

    @Option(names = "--fault-script", paramLabel = "FILE",
        description = "Program that injects and undoes the fault 'script'. Arguments: inject or undo, the member's id, the pid " +
        "of its process.")
    private Path faultScript;

    @Option(names = "--allow-disk-faults",
        description = "Confirm faults of the members' disks: power-loss, disk-stall, disk-full. Only for disks made by " +
        "scripts/disk-lab.sh, on a machine that may be lost.")
    private boolean isDiskFaultAllowed;

    @Option(names = "--victim", paramLabel = "LIST", defaultValue = "leader", split = ",",
        description = "leader, follower, followers (all), all, each (round-robin), or a member id; a list is used round-robin. " +
        "Default: ${DEFAULT-VALUE}.")
    private List<String> victims;

    @Option(names = "--random", description = "Draw fault and victim of each cycle at random from the lists, by --seed.")
    private boolean isRandom;

    @Option(names = "--cycles", paramLabel = "N", defaultValue = "5", converter = Converters.PositiveInt.class,
        description = "Number of faults. Default: ${DEFAULT-VALUE}.")
    private int cycleCount;

    @Option(names = "--for", paramLabel = "TIME", defaultValue = "0s", converter = Converters.Duration.class,
        description = "Start new cycles for this long, instead of --cycles. Default: off.")
    private long durationNs;

    @Option(names = "--gap", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "Pause between a recovery and the next fault. Default: ${DEFAULT-VALUE}.")
    private long gapNs;

    @Option(names = "--return-after", paramLabel = "TIME", defaultValue = "auto", converter = Converters.ReturnAfter.class,
        description = "When the victim is restarted, continued or healed: a time after the fault, never, or auto (once replies " +
        "flow again, at least 3s after the fault; without a quorum after 3s). Default: ${DEFAULT-VALUE}.")
    private VictimReturn victimReturn;

    @Option(names = "--limit", paramLabel = "TIME", defaultValue = "60s", converter = Converters.Duration.class,
        description = "Recovery timeout of a cycle. Default: ${DEFAULT-VALUE}.")
    private long limitNs;

    @Option(names = "--snapshot", description = "Take a snapshot before each fault.")
    private boolean isSnapshotting;

    @Option(names = "--timeouts", paramLabel = "NAME", defaultValue = "default",
        description = "Timeouts of a cluster that the test starts: default (Aeron's), fast or fastest. Default: " +
        "${DEFAULT-VALUE}.")
    private TimeoutPreset timeouts;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
        description = "Member setting of a cluster that the test starts; repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Mixin
    private PrintOptions print;

    @Mixin
    private LiveOptions live;

    FailoverCommand()
    {
    }

    @Override
    public Integer call()
    {
        final RunConfig config = options.config(spec);
        final FailoverPlan plan = new FailoverPlan(
            cycleCount, durationNs, faults, victims, isRandom, config.load().seed(), gapNs, victimReturn, limitNs, isSnapshotting,
            null == faultScript ? null : new FaultScript(faultScript));
        final long cycleNs = gapNs + 2 * limitNs + CYCLE_OVERHEAD_NS;
        final long longestNs = durationNs > 0 ? durationNs + cycleNs : cycleCount * cycleNs;
        check(config, longestNs);
        final List<IntervalLines> lines = live.lines(print);

        final TestCluster cluster = TestCluster.runningOrOwn(
            config.target().clusterDir(), config.target().inventory(), () -> settings(config), print::progress);
        checkRunning(config, cluster);
        final EndRequest endRequest = EndRequest.onSignals(cluster::abandon);
        try (LiveServer server = live.serve())
        {
            endRequest.waitFor(cluster::start);
            if (endRequest.isRequested())
            {
                return ExitCode.INTERRUPTED;
            }
            checkDisks(cluster);
            final FailoverTest.Result result =
                new FailoverTest(config, plan, cluster, endRequest, server, lines, print::progress).execute(longestNs);
            print.result(result.json(), live.result(result.json(), result.text()), config.thresholds());
            return result.exitStatus();
        }
        catch (final ControlFailure | NotConnectedException ex)
        {
            if (endRequest.isRequested())
            {
                System.err.println("interrupted before the load began: " + ex.getMessage());
                return ExitCode.INTERRUPTED;
            }
            throw ex;
        }
        finally
        {
            cluster.close();
        }
    }

    /**
     * A running cluster keeps its settings: other ones on the command line are an error, so that no number is taken for
     * theirs.
     */
    private void checkRunning(final RunConfig config, final TestCluster cluster)
    {
        if (cluster.cluster().config().isPlainService())
        {
            throw new InvalidSettingException(
                NodeSettings.SERVICE.key(), "plain", "echo: the audit of a failover test needs it");
        }
        if (!cluster.isOwn())
        {
            final Settings asked = asked();
            if (spec.commandLine().getParseResult().hasMatchedOption("--timeouts"))
            {
                timeouts.applyAll(asked);
            }
            final List<String> differences = cluster.cluster().differences(asked);
            if (!differences.isEmpty())
            {
                throw new InvalidSettingException(
                    "--cluster-dir", config.target().clusterDir(),
                    "a folder without a running cluster, or with one that has these settings (" +
                    String.join("; ", differences) + "): stop the cluster first, or leave the options out");
            }
        }
    }

    private void check(final RunConfig config, final long longestNs)
    {
        config.clients().checkAlone("failover");
        config.load().checkMemory(longestNs);
        if (!TransportNames.isCluster(config.target().transport()))
        {
            throw new InvalidSettingException("--transport", config.target().transport(), "cluster");
        }
        if (null != config.target().endpoints())
        {
            throw new InvalidSettingException(
                "--endpoints", config.target().endpoints(),
                "use --cluster-dir instead");
        }
        if (faults.contains(Fault.SCRIPT) == (null == faultScript))
        {
            throw null == faultScript ?
                new InvalidSettingException("--fault script needs --fault-script, the program that injects the fault") :
                new InvalidSettingException("--fault-script", faultScript, "it needs --fault script");
        }
        if (diskFault().isPresent() && !isDiskFaultAllowed)
        {
            throw new InvalidSettingException(
                "--fault", diskFault().get(), "with --allow-disk-faults, because it acts on the file systems of the members");
        }
        for (final String victim : victims)
        {
            if (!isRandom && faults.contains(Fault.WIPE) && !FailoverPlan.isAllowed(Fault.WIPE, victim))
            {
                throw new InvalidSettingException(
                    "--victim", victim, "one member at a time with --fault wipe: data that a majority lost cannot be recovered");
            }
            if (!VICTIMS.contains(victim) && !victim.matches("[0-9]{1,2}"))
            {
                throw new InvalidSettingException("--victim", victim, String.join(", ", VICTIMS) + ", or a member id");
            }
        }
    }

    private void checkDisks(final TestCluster cluster)
    {
        for (final ClusterMember member : cluster.cluster().members())
        {
            diskFault().ifPresent((fault) ->
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

    private Optional<Fault> diskFault()
    {
        return faults.stream().filter(Fault::isOfDisk).findFirst();
    }

    /**
     * Settings of a cluster that the test starts.
     */
    private Settings settings(final RunConfig config)
    {
        final Settings settings = asked();
        settings.put(NodeSettings.BASE_DIR.key(), config.target().clusterDir().toString(), "--cluster-dir");
        config.driver().addTo(settings);
        if (null != config.target().inventory())
        {
            config.target().inventory().putHosts(settings, null);
        }
        return settings;
    }

    /**
     * Settings from the command line, and what the faults need.
     */
    private Settings asked()
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        timeouts.apply(settings);
        faults.stream().filter(Fault::isOfLink).findFirst().ifPresent(
            (fault) -> settings.put(NodeSettings.FAULT_FILTER.key(), "true", "--fault " + fault));
        settings.putAssignments(assignments, "--set");
        return settings;
    }
}
