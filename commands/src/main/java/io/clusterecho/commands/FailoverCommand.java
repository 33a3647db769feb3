package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.series.EndRequest;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.cluster.TimeoutPreset;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.failover.lab.FailoverPlan;
import io.clusterecho.failover.lab.FailoverTest;
import io.clusterecho.failover.lab.Fault;
import io.clusterecho.failover.lab.FaultScript;
import io.clusterecho.failover.lab.VictimReturn;
import io.clusterecho.node.config.NodeSettings;
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
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Injects faults into members while load goes on, measures each outage, and proves what was lost.",
    description = {
        "",
        "Works on the cluster that runs in --cluster-dir, or starts one there for the test and stops it after. Messages are " +
        "offered at their intended times throughout. At the end the logs of all members are compared with the client's own " +
        "journal of what was acknowledged.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:all cycles recovered and nothing was lost", " 1:internal error", " 2:usage", " 3:no cluster, or no session with it",
        " 4:a cycle did not recover or was not valid, or the audit has findings",
        "99:a condition of --assert failed", "130:interrupted; what was measured is kept" })
public final class FailoverCommand implements Callable<Integer>
{
    private static final long CYCLE_OVERHEAD_NS = 60_000_000_000L;
    private static final List<String> VICTIMS = List.of("leader", "follower", "followers", "all", "each");

    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Option(names = "--fault", paramLabel = "LIST", defaultValue = "kill", split = ",",
        description = "kill (SIGKILL), term (SIGTERM), pause (SIGSTOP), partition (cut off from members and clients), wipe " +
        "(SIGKILL, and its data deleted) or script (what --fault-script does); several are taken in turn. " +
        "Default: ${DEFAULT-VALUE}.")
    private List<Fault> faults;

    @Option(names = "--fault-script", paramLabel = "FILE",
        description = "Program that makes and undoes the fault 'script'. It is called with: inject or undo, the member's id, " +
        "and the pid of its process.")
    private Path faultScript;

    @Option(names = "--victim", paramLabel = "LIST", defaultValue = "leader", split = ",",
        description = "leader, follower, followers (all of them), all, each (in turn), or a member id; several are taken in " +
        "turn. Default: ${DEFAULT-VALUE}.")
    private List<String> victims;

    @Option(names = "--random", description = "Draw fault and victim of each cycle from the lists, by --seed.")
    private boolean isRandom;

    @Option(names = "--cycles", paramLabel = "N", defaultValue = "5", converter = Converters.PositiveInt.class,
        description = "Number of faults. Default: ${DEFAULT-VALUE}.")
    private int cycleCount;

    @Option(names = "--for", paramLabel = "TIME", defaultValue = "0s", converter = Converters.Duration.class,
        description = "Begin new cycles until so much time has passed, instead of --cycles. Default: off.")
    private long durationNs;

    @Option(names = "--gap", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "Between a recovery and the next fault. Default: ${DEFAULT-VALUE}.")
    private long gapNs;

    @Option(names = "--return-after", paramLabel = "TIME", defaultValue = "auto", converter = Converters.ReturnAfter.class,
        description = "When the victim returns (is restarted, continued, healed) after the fault: a time, never, or auto (once " +
        "echoes flow again without it, after 3s at the earliest; without a quorum after 3s). Default: ${DEFAULT-VALUE}.")
    private VictimReturn victimReturn;

    @Option(names = "--limit", paramLabel = "TIME", defaultValue = "60s", converter = Converters.Duration.class,
        description = "For a cycle to recover. Default: ${DEFAULT-VALUE}.")
    private long limitNs;

    @Option(names = "--snapshot", description = "Take a snapshot before each fault.")
    private boolean isSnapshotting;

    @Option(names = "--timeouts", paramLabel = "NAME", defaultValue = "default",
        description = "Timeouts of a cluster that is started for the test: default (Aeron's own), fast or fastest. " +
        "Default: ${DEFAULT-VALUE}.")
    private TimeoutPreset timeouts;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
        description = "Any setting of the members of a cluster that is started for the test.")
    private List<String> assignments = new ArrayList<>();

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    @Option(names = "--quiet", description = "No progress on stderr.")
    private boolean isQuiet;

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

        final TestCluster cluster = TestCluster.runningOrOwn(
            config.target().clusterDir(), config.target().inventory(), () -> settings(config), this::say);
        checkRunning(config, cluster);
        final EndRequest endRequest = EndRequest.onSignals(cluster::abandon);
        try (LiveServer server = live.serve())
        {
            endRequest.waitFor(cluster::start);
            if (endRequest.isRequested())
            {
                return ExitCode.INTERRUPTED;
            }
            final FailoverTest.Result result =
                new FailoverTest(config, plan, cluster, endRequest, server, this::say).execute(longestNs);
            System.out.print(isJson ? result.json() : result.text());
            System.out.flush();
            return result.exitStatus();
        }
        catch (final ControlFailure | NotConnectedException ex)
        {
            System.err.println("error: " + ex.getMessage());
            return endRequest.isRequested() ? ExitCode.INTERRUPTED : ExitCode.NOT_CONNECTED;
        }
        finally
        {
            cluster.close();
        }
    }

    /**
     * A cluster that runs keeps its settings: to ask for others is an error, lest a number be taken for that of others.
     */
    private void checkRunning(final RunConfig config, final TestCluster cluster)
    {
        if (cluster.cluster().config().isPlainEcho())
        {
            throw new InvalidSettingException(
                NodeSettings.SERVICE.key(), "plain", "echo, for a failover test: its audit needs members that keep accounts");
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
                    "a folder without a cluster that runs, or one with the settings asked for (" +
                    String.join("; ", differences) + "): stop it first, or leave them out");
            }
        }
    }

    private void check(final RunConfig config, final long longestNs)
    {
        config.clients().checkAlone("failover");
        config.load().checkMemory(longestNs);
        if (!TransportNames.isCluster(config.target().transport()))
        {
            throw new InvalidSettingException("--transport", config.target().transport(), "cluster, for a failover test");
        }
        if (null != config.target().endpoints())
        {
            throw new InvalidSettingException(
                "--endpoints", config.target().endpoints(),
                "not given: a failover test works on a cluster of this machine (--cluster-dir)");
        }
        if (faults.contains(Fault.SCRIPT) == (null == faultScript))
        {
            throw new InvalidSettingException(
                "--fault-script", faultScript, "given with --fault script, and only with it");
        }
        for (final String victim : victims)
        {
            if (!isRandom && faults.contains(Fault.WIPE) && !FailoverPlan.isAllowed(Fault.WIPE, victim))
            {
                throw new InvalidSettingException(
                    "--victim", victim, "one member at a time with --fault wipe: what a majority acknowledged and lost is gone");
            }
            if (!VICTIMS.contains(victim) && !victim.matches("[0-9]{1,2}"))
            {
                throw new InvalidSettingException("--victim", victim, String.join(", ", VICTIMS) + ", or a member id");
            }
        }
    }

    /**
     * Of a cluster that is to be started.
     */
    private Settings settings(final RunConfig config)
    {
        final Settings settings = asked();
        settings.put(NodeSettings.BASE_DIR.key(), config.target().clusterDir().toString(), "--cluster-dir");
        config.driver().addTo(settings);
        if (null != config.target().inventory())
        {
            config.target().inventory().tell(settings, null);
        }
        return settings;
    }

    /**
     * What the user asked for, and the faults need.
     */
    private Settings asked()
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        timeouts.apply(settings);
        if (faults.contains(Fault.PARTITION))
        {
            settings.put(NodeSettings.FAULT_FILTER.key(), "true", "--fault partition");
        }
        settings.putAssignments(assignments, "--set");
        return settings;
    }

    private void say(final String line)
    {
        if (!isQuiet)
        {
            System.err.println(line);
        }
    }
}
