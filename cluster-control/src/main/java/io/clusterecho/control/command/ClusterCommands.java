package io.clusterecho.control.command;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.HostAgent;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.cluster.Retention;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.Node;
import io.clusterecho.host.RealPath;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.process.JsonLines;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Commands for a cluster that was started, each a method with its options. */
public final class ClusterCommands
{
    private static final long MIN_INTERVAL_NS = 1_000_000_000L;
    private static final long COMMIT_TIMEOUT_NS = 1_000_000_000L;
    private static final int MAX_KEPT = 1000;

    public static Method named(final String name)
    {
        return CommandLine.getCommandMethods(ClusterCommands.class, name).get(0);
    }

    @Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        header = "Stop the members of a cluster, and its backup.",
        description = {
            "",
            "SIGTERM, then SIGKILL after the deadline. Also stops a member of this folder that was started by hand, and no " +
            "other process. Removes their files from shared memory; logs, snapshots and output are kept." },
        exitCodeList = {
            "  0:no member runs any more",
            "  2:invalid option or setting, or no permission",
            "  3:a member still runs, or its host does not answer" })
    @CommandHelp(examples = {
            "cluster-node stop",
            "cluster-node stop --base-dir /data/cluster" })
    static int stop(
        @Mixin final BaseDirOption base,
        @Option(names = "--deadline", paramLabel = "TIME", defaultValue = "25s",
            description = "Time for the members to stop before they are killed (default: ${DEFAULT-VALUE}).")
        final String deadline,
        @Option(names = "--delete-data",
            description = "Also delete the logs, snapshots and output of all members and of the backup.")
        final boolean isDataDeleted)
    {
        final Deadline end = Deadline.parse("--deadline", deadline);
        final Optional<Cluster> cluster = base.cluster();
        if (cluster.isEmpty())
        {
            RecordedClusters.checkNoneRuns(base.baseDir());
            System.out.println("Nothing runs in " + base.baseDir() + ".");
            return ControlFailure.DONE;
        }

        final Optional<Node> backup = cluster.get().backup();
        final boolean isBackupStopped = backup.map((found) -> found.knownPid().isPresent()).orElse(false);
        final List<ClusterMember> stopped = cluster.get().stop(end, System.err::println);
        final String names = (stopped.isEmpty() ? "" : "member " + stopped.stream()
            .map((member) -> String.valueOf(member.memberId())).collect(Collectors.joining(", "))) +
            (isBackupStopped ? (stopped.isEmpty() ? "" : " and ") + "the backup" : "");
        System.out.println(names.isEmpty() ? "Nothing runs in " + base.baseDir() + "." :
            "Stopped " + names + " of " + base.baseDir() + (isDataDeleted ? "." : "; its data is kept."));
        if (isDataDeleted)
        {
            cluster.get().deleteData().forEach((folder) -> System.out.println("Deleted " + folder));
        }

        return ControlFailure.DONE;
    }

    @Command(
        name = "status",
        mixinStandardHelpOptions = true,
        header = "Print the state of each member.",
        description = {
            "",
            "Process, role, election, leadership term, log positions, sessions, counters of the echo service and errors. Reads " +
            "files only; members are not disturbed." },
        exitCodeList = {
            "  0:all members run and follow one leader; with --member-id, this one is ready",
            "  2:invalid option or setting",
            "  3:otherwise" })
    @CommandHelp(examples = {
            "cluster-node status",
            "cluster-node status --json",
            "cluster-node status --member-id 0" })
    static int status(
        @Mixin final BaseDirOption base,
        @Option(names = "--json", description = "Print the state, and an error, as JSON.") final boolean isJson,
        @Option(names = "--member-id", paramLabel = "N",
            description = "Of this member alone, as a probe of its container: it is ready if it leads or follows, without an " +
            "election, and commits within 1 s what its log has.")
        final Integer memberId)
    {
        final Optional<Cluster> cluster = base.cluster();
        if (cluster.isEmpty())
        {
            RecordedClusters.checkNoneRuns(base.baseDir());
        }
        final StatusReport report = cluster.map((found) -> StatusReport.of(found, memberId))
            .orElse(new StatusReport(List.of(), Optional.empty()));
        final boolean isWell = null == memberId ? report.isHealthy() : report.isReady(Deadline.in(COMMIT_TIMEOUT_NS));
        if (isJson)
        {
            System.out.println(report.asJson(isWell).put("baseDir", base.baseDir().toString()).toPrettyString());
        }
        else if (cluster.isEmpty())
        {
            System.out.println("No cluster was started in " + base.baseDir() + ".");
        }
        else
        {
            report.print(System.out);
        }

        return isWell ? ControlFailure.DONE : ControlFailure.NOT_READY;
    }

    @Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        header = "Take a snapshot of a running cluster.",
        description = {
            "",
            "Asks the leader, and waits until all running members have taken the snapshot." },
        exitCodeList = {
            "  0:taken",
            "  2:invalid option",
            "  3:no leader, or not taken in time" })
    @CommandHelp(examples = {
            "cluster-node snapshot" })
    static int snapshot(
        @Mixin final BaseDirOption base,
        @Option(names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
            description = "Time for the snapshot (default: ${DEFAULT-VALUE}).")
        final String deadline)
    {
        final int count = base.requireCluster().takeSnapshot(Deadline.parse("--deadline", deadline)).size();
        System.out.println("Snapshot taken by " + count + " members.");
        return ControlFailure.DONE;
    }

    @Command(
        name = "retain",
        mixinStandardHelpOptions = true,
        header = "Take a snapshot and purge the log that no member needs any more.",
        description = {
            "",
            "All members take a snapshot. Each then deletes the log before the oldest snapshot that is kept, and older " +
            "snapshots, in whole files of 64 MB or one term. Refused while a member is down; see docs/LIFE.md." },
        exitCodeList = {
            "  0:purged, or nothing to purge",
            "  2:invalid option",
            "  3:no leader, a member is down, or not done in time" })
    @CommandHelp(examples = {
            "cluster-node retain",
            "cluster-node retain --every 10m" })
    static int retain(
        @Mixin final BaseDirOption base,
        @Option(names = "--every", paramLabel = "TIME",
            description = "Repeat at this interval until stopped by Ctrl-C, or until no member runs (default: once).")
        final String every,
        @Option(names = "--keep", paramLabel = "N", defaultValue = "2",
            description = "Snapshots that each member keeps (default: ${DEFAULT-VALUE}).")
        final int keep,
        @Option(names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
            description = "Time for each snapshot (default: ${DEFAULT-VALUE}).")
        final String deadline)
    {
        InvalidSettingException.throwIf(keep < 1 || keep > MAX_KEPT, "--keep", keep, "a whole number from 1 to " + MAX_KEPT);
        Deadline.parse("--deadline", deadline);
        final long intervalNs =
            null == every ? 0 : InvalidSettingException.parsed("--every", every, null, Quantity::parseDurationNs);
        InvalidSettingException.throwIf(null != every && intervalNs < MIN_INTERVAL_NS, "--every", every, "at least 1s");
        final Cluster cluster = base.requireCluster();
        final Retention retention = new Retention(cluster, keep);
        if (0 == intervalNs)
        {
            retention.run(Deadline.parse("--deadline", deadline), (purged) -> System.out.println(text(purged)));
        }
        else
        {
            repeat(cluster, retention, intervalNs, deadline);
        }
        return ControlFailure.DONE;
    }

    /** A failure is often over by the next time: an election, or a member that is about to be started again. */
    private static void repeat(
        final Cluster cluster, final Retention retention, final long intervalNs, final String deadline)
    {
        long nextNs = System.nanoTime();
        do
        {
            final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            try
            {
                retention.run(
                    Deadline.parse("--deadline", deadline), (purged) -> System.out.println(now + " " + text(purged)));
            }
            catch (final ControlFailure ex)
            {
                System.err.println(now + " " + ex.getMessage());
            }
            nextNs = Math.max(nextNs + intervalNs, System.nanoTime());
            while (nextNs - System.nanoTime() > 0)
            {
                LockSupport.parkNanos(Math.min(MIN_INTERVAL_NS, nextNs - System.nanoTime()));
            }
        }
        // A host that does not answer may have a member that runs.
        while (ControlFailure.orElse(cluster::isAnyAlive, true));
        System.out.println("No member runs any more.");
    }

    private static String text(final Retention.Purged purged)
    {
        return String.format(
            Locale.ROOT, "%s: %s on disk, before %s; log from position %,d, before %,d; %d snapshots, before %d",
            purged.name(), size(purged.after().diskLength()), size(purged.before().diskLength()),
            purged.after().startPosition(), purged.before().startPosition(),
            purged.after().snapshots().size(), purged.before().snapshots().size());
    }

    private static String size(final long lengthBytes)
    {
        return String.format(Locale.ROOT, "%.1f MB", lengthBytes / (double)(1 << 20));
    }

    @Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        header = "Run members here for commands on another host (host agent).",
        description = {
            "",
            "Commands with --inventory start it over ssh. It reads requests from standard input, answers on standard output " +
            "and ends with its input; members keep running." })
    static int agent()
    {
        final JsonLines lines = JsonLines.ofParent();
        try (HostAgent agent = new HostAgent(MemberLauncher.ofThisJar(null)))
        {
            agent.server(lines).serve();
        }

        return ControlFailure.DONE;
    }

    static final class BaseDirOption
    {
        @Option(
            names = "--base-dir", paramLabel = "DIR",
            description = "Folder of the cluster (echo.base.dir; default: cluster-data).")
        private Path baseDir;

        Path baseDir()
        {
            return RealPath.of(null != baseDir ? baseDir :
                Path.of(System.getProperty(NodeSettings.BASE_DIR.key(), NodeSettings.BASE_DIR.defaultText())));
        }

        /** The cluster, running or not, or empty if none was started in the folder. */
        Optional<Cluster> cluster()
        {
            return RecordedClusters.in(baseDir(), null);
        }

        /** The cluster, running or not. */
        Cluster requireCluster()
        {
            return cluster().orElseThrow(() -> new ControlFailure(
                ControlFailure.NOT_READY, "no cluster was started in " + baseDir() + ": start one, or set --base-dir"));
        }
    }
}
