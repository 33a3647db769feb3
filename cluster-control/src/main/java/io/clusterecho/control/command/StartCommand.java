package io.clusterecho.control.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.cluster.TimeoutPreset;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.CoreNeed;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.Profile;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts the members of a cluster and waits until the cluster serves clients. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    header = "Start the members of a cluster on this machine.",
    description = {
        "",
        "Each member is a process that outlives this command. Starts only members that do not run yet, and waits until the " +
        "leader has answered a message." },
    footer = {
        "",
        "Settings come from defaults, then the files in order, then -Decho.KEY=VALUE, then --timeouts, then the options; later " +
        "ones win.",
        "--timeouts fast: at most 3 s without a leader after a kill, instead of 11.75 s, but a pause of 2 s costs an election." },
    exitCodeList = {
        "  0:the cluster serves",
        "  2:invalid option or setting",
        "  3:no leader or no echo in time, or a file cannot be written; nothing that was started keeps running",
        "  4:a majority serves and keeps running, but not all members" })
@CommandHelp(examples = {
        "cluster-node start",
        "cluster-node start --timeouts fast --set echo.fsync=1",
        "cluster-node start --inventory hosts.properties config/cluster.properties" })
public final class StartCommand implements Callable<Integer>
{
    @Mixin
    private ClusterOptions options;

    @Option(
        names = "--inventory", paramLabel = "FILE",
        description = "Start the members on the hosts in this file, over ssh; see docs/MANY-HOSTS.md.")
    private Path inventoryFile;

    @Option(names = "--timeouts", paramLabel = "NAME", description = "Failover timeouts: default, fast or fastest.")
    private TimeoutPreset timeouts;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "90s",
        description = "Time until the cluster must serve (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Option(names = "--json", description = "Print the result, and an error, as JSON.")
    private boolean isJson;

    @Override
    public Integer call()
    {
        final Deadline end = Deadline.parse("--deadline", deadline);
        final Settings settings = options.settings(
            (given) -> Optional.ofNullable(timeouts).ifPresent((preset) -> preset.apply(given)));
        final Inventory inventory = inventory(settings);
        if (null == inventory)
        {
            options.putMemberCount(settings);
        }
        else
        {
            inventory.putHosts(settings, options.memberCount());
        }
        final MemberLauncher launcher = MemberLauncher.ofThisJar(options.jvmOptions());
        final Cluster asked = Cluster.of(settings, launcher, inventory);
        final Optional<Cluster> running =
            RecordedClusters.in(asked.config().baseDir(), launcher, inventory).filter(Cluster::isAnyAlive);
        if (running.isPresent())
        {
            final List<String> differences = running.get().differences(settings);
            InvalidSettingException.throwIf(
                !differences.isEmpty(), "another cluster runs in " + asked.config().baseDir() + ": " +
                String.join("; ", differences) + ". Stop it first, or set another --base-dir and --base-port");
        }

        final Cluster cluster = running.orElse(asked);
        if (running.isEmpty())
        {
            if (null == inventory)
            {
                warnOfCores(cluster.config());
            }
            cluster.prepare((text) -> System.err.println(text + " ..."));
        }
        final Thread abandon = new Thread(cluster::abandonStart, "abandon-start");
        Runtime.getRuntime().addShutdownHook(abandon);
        try
        {
            cluster.start(end, (text) -> System.err.println(text + " ..."));
        }
        catch (final ControlFailure ex)
        {
            if (ControlFailure.DEGRADED == ex.exitCode() && isJson)
            {
                System.out.println(asJson(cluster, false).toPrettyString());
            }
            throw ex;
        }
        Runtime.getRuntime().removeShutdownHook(abandon);

        if (isJson)
        {
            System.out.println(asJson(cluster, true).toPrettyString());
        }
        else
        {
            print(cluster, System.out);
        }

        return ControlFailure.DONE;
    }

    /** By default members are compact on few cores, so only another profile is worth a warning. */
    private static void warnOfCores(final NodeConfig config)
    {
        final CoreNeed need = new CoreNeed(Profile.of(config.profile()), config.localMembers().size(), 1);
        final int usable = Runtime.getRuntime().availableProcessors();
        if (need.coreCount() > usable && Profile.COMPACT != need.profile())
        {
            System.err.println(
                "warning: " + need.found(usable) + "; wanted: " + need.wanted() + "; fix: " + need.fix(usable));
        }
    }

    /** The inventory of the command line, else that of the cluster in the base folder, else null. */
    private Inventory inventory(final Settings settings)
    {
        final Inventory inventory = null != inventoryFile ? new Inventory(inventoryFile) :
            Inventory.recordedIn(Path.of(settings.value(NodeSettings.BASE_DIR))).orElse(null);
        InvalidSettingException.throwIf(
            null != inventory && null != options.jvmOptions(), "--jvm-options", options.jvmOptions(),
            "must not be set with an inventory: each host uses its distribution's");

        return inventory;
    }

    private void print(final Cluster cluster, final PrintStream out)
    {
        final int startedCount = cluster.startedLast().size();
        final int count = cluster.members().size();
        out.println(
            startedCount > 0 ? "The cluster serves: " + count + " members, " + startedCount + " of them started now. The " +
            "leader answers." : cluster.isBackupStarted() ? "The members ran already, and the leader answers. The backup was " +
            "started now." : "The cluster already runs: " + count + " members, and the leader answers. Nothing was started.");

        cluster.members().forEach((member) -> out.printf(
            "member %d  %-8s pid %-7d %s%s, folders %s, %s%n", member.memberId(),
            member.counters().map(MemberCounters::role).orElse("ended"), member.pid().orElse(-1),
            member.hostName().isEmpty() ? "" : "host " + member.hostName() + ", ",
            String.join(", ", member.place().endpoints().named()), member.dir(), member.aeronDir()));
        cluster.backup().ifPresent((backup) -> out.printf(
            "backup    %-8s pid %-7d %sfolders %s, %s%n", cluster.isBackupStarted() ? "started" : "runs",
            backup.pid().orElse(-1), backup.hostName().isEmpty() ? "" : "host " + backup.hostName() + ", ", backup.dir(),
            backup.aeronDir()));
        out.println("ingress   " + MemberEndpoints.ingressEndpoints(cluster.config().members()));
        cluster.config().placement().ifPresent((given) -> out.println("placement " + given.text()));
        out.println("settings  " + new ClusterFiles(cluster.config().baseDir()).settingsFile());
        out.printf(
            Locale.ROOT, "failover  the timeouts allow up to %s without a leader after a kill of the leader%n",
            Quantity.formatNs(cluster.config().outageBoundNs()));
        out.println("to load   " + loadCommand(cluster));
        out.println("to stop   " + Endings.command("stop", cluster.config().baseDir()));
    }

    private static String loadCommand(final Cluster cluster)
    {
        return Endings.command("load-client", "run", cluster.config().baseDir()) + cluster.config().credentials()
            .map((given) -> " --credentials-file " + cluster.shared().get(NodeSettings.CREDENTIALS_FILE.key())).orElse("") +
            (cluster.config().value(NodeSettings.SERVICE_CLASS).isEmpty() ? "" : " --messages ...");
    }

    /** The state of a cluster that serves, all of it or only a majority, and what was started. */
    private static ObjectNode asJson(final Cluster cluster, final boolean isWhole)
    {
        final ObjectNode json = StatusReport.of(cluster, null).asJson(isWhole);
        json.put("baseDir", cluster.config().baseDir().toString())
            .put("ingressEndpoints", MemberEndpoints.ingressEndpoints(cluster.config().members()))
            .put("alreadyRunning", cluster.startedLast().isEmpty() && !cluster.isBackupStarted())
            .put("load", loadCommand(cluster)).put("stop", Endings.command("stop", cluster.config().baseDir()));
        if (json.get("backup") instanceof ObjectNode backup)
        {
            backup.put("startedNow", cluster.isBackupStarted());
        }
        cluster.members().forEach((member) -> ((ObjectNode)json.get("members").get(member.memberId()))
            .put("startedNow", cluster.startedLast().contains(member)));
        return json;
    }
}
