package io.clusterecho.control.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Settings;

/** Finds the cluster of a base folder. Thread-safe. */
public final class RecordedClusters
{
    private static final Path PROC = Path.of("/proc");
    private static final String NETWORK = "ns/net";
    private static final Pattern MEMBER_ID = Pattern.compile(" --member-id[= ](\\d+) ");

    /** A member of this user in this network namespace, by the command line of its process, whatever its folder. */
    private record Found(long pid, String memberId, Path baseDir)
    {
    }

    /** The cluster that was last started in a base folder, on or from this machine; empty if none was started there. */
    public static Optional<Cluster> in(final Path baseDir, final MemberLauncher launcher)
    {
        final ClusterFiles files = new ClusterFiles(baseDir);
        return files.readShared().map(
            (shared) ->
            {
                final Settings settings = settings(shared, baseDir);
                if (Placement.isMissing(settings.text(NodeSettings.PLACEMENT)))
                {
                    // Running members have their own copy; without it they can still be inspected and stopped.
                    settings.put(NodeSettings.PLACEMENT.key(), Placement.NONE, "base folder");
                }
                return new Cluster(settings, launcher, Inventory.recordedIn(baseDir).orElse(null));
            });
    }

    /**
     * The cluster of an inventory, even if it was started from another machine: its settings are then read from the hosts and
     * written into the base folder here. The launcher is needed only to start members; without an inventory that of the folder
     * counts. Empty if none was started on these hosts. Fails if none of the hosts answers; rejects a folder of a cluster on
     * other hosts, or on this machine.
     */
    public static Optional<Cluster> in(
        final Path baseDir, final MemberLauncher launcher, final Inventory inventory)
    {
        if (null == inventory)
        {
            return in(baseDir, launcher);
        }

        final ClusterFiles files = new ClusterFiles(baseDir);
        final Optional<Cluster> recorded = in(baseDir, launcher);
        if (recorded.isEmpty())
        {
            inventory.askSettings(baseDir).ifPresent((known) ->
            {
                files.makeBaseDir();
                files.write(ClusterFiles.withDefaults(known), new NodeConfig(settings(known, baseDir)).members());
                files.writeInventory(inventory.properties());
            });
        }
        else if (!recorded.get().inventory().map(Inventory::properties).equals(Optional.of(inventory.properties())))
        {
            // With other cores or another ssh address it is the same cluster, but these may only change while no member runs.
            StartChecks.checkInventoryMayChange(inventory, recorded.get());
            files.writeInventory(inventory.properties());
        }

        return in(baseDir, launcher);
    }

    /** Whether the cluster of a base folder runs; true without asking if it is on the hosts of an inventory. */
    public static boolean isServed(final Path baseDir)
    {
        return in(baseDir, null).map((cluster) -> cluster.inventory().isPresent() || cluster.isAnyAlive()).orElse(false);
    }

    /** Whether a command on this machine purges logs from time to time: {@code retain --every} of this user. */
    public static boolean areRetained()
    {
        return processes().map(RecordedClusters::words).anyMatch(
            (words) -> words.contains("retain") && words.stream().anyMatch((word) -> word.startsWith("--every")));
    }

    /** The base folder of the cluster at some endpoints of this machine; empty if none runs, or this user may not see it. */
    public static Optional<Path> servedAt(final String endpoints)
    {
        // A cluster of another user, or of a version with other settings, is not known.
        return folders().stream().filter((baseDir) -> ControlFailure.orElse(
            () -> endpoints.equals(new ClusterFiles(baseDir).readCluster().get(ClusterFiles.ENDPOINTS_KEY)) &&
                isServed(baseDir), false)).findFirst();
    }

    /** Fail, with the pid of each, if members run whose folder was deleted, so that commands do not find them there. */
    public static void checkNoneRuns(final Path baseDir)
    {
        final List<Found> found = running().filter((member) -> member.baseDir().equals(baseDir)).toList();
        ControlFailure.notReadyIf(
            !found.isEmpty(), found.stream().map((member) -> "member " + member.memberId() + " (pid " + member.pid() +
            ")").collect(Collectors.joining(", ")) + " of " + baseDir + " still runs, but its settings there were deleted: " +
            "end it with kill " + found.stream().map((member) -> String.valueOf(member.pid())).collect(Collectors.joining(" ")));
    }

    private static Settings settings(final Map<String, String> shared, final Path baseDir)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        shared.forEach((key, value) -> settings.put(key, value, "settings of " + baseDir));
        return settings.put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "base folder");
    }

    /** Write the settings of members for a command on another host; rejects them if a member runs here with others. */
    public static Cluster configure(
        final Path baseDir, final SortedMap<String, String> shared, final MemberLauncher launcher)
    {
        final ClusterFiles files = new ClusterFiles(baseDir);
        files.makeBaseDir();
        final Cluster cluster = new Cluster(settings(shared, baseDir), launcher, null);
        final Map<String, String> before = files.readShared().orElse(Map.of());
        InvalidSettingException.throwIf(
            cluster.isAnyAlive() && !cluster.shared().equals(before), NodeSettings.BASE_DIR.key(), baseDir,
            "a folder without running members, or with members that have the same settings");
        files.write(cluster.shared(), cluster.config().members());
        return cluster;
    }

    /** Base folders that the command lines of running members name, as absolute paths. */
    static List<Path> folders()
    {
        return running().map(Found::baseDir).distinct().toList();
    }

    /** None if the system does not show command lines. */
    private static Stream<Found> running()
    {
        return processes().flatMap((process) -> memberOf(process).stream());
    }

    private static Stream<Path> processes()
    {
        return ProcessHandle.allProcesses().map((process) -> PROC.resolve(String.valueOf(process.pid())));
    }

    /** The command line of a process; none if it ended meanwhile, or belongs to another user. */
    private static List<String> words(final Path process)
    {
        final byte[] words = Io.orElse(new byte[0], () -> Files.readAllBytes(process.resolve("cmdline")));
        return List.of(new String(words, StandardCharsets.UTF_8).split("\0"));
    }

    private static Optional<Found> memberOf(final Path process)
    {
        try
        {
            final List<String> words = words(process);
            final Matcher id = MEMBER_ID.matcher(String.join(" ", words));
            if (!id.find() || !Files.readSymbolicLink(process.resolve(NETWORK))
                .equals(Files.readSymbolicLink(PROC.resolve("self").resolve(NETWORK))))
            {
                return Optional.empty();
            }

            final Path workingDir = Files.readSymbolicLink(process.resolve("cwd"));
            final long pid = Long.parseLong(process.getFileName().toString());
            return words.stream().filter((word) -> word.endsWith(ClusterFiles.SETTINGS_FILE)).findFirst()
                .map((file) -> new Found(pid, id.group(1), workingDir.resolve(file).normalize().getParent()));
        }
        catch (final IOException | InvalidPathException ex)
        {
            // It ended meanwhile, or belongs to another user.
            return Optional.empty();
        }
    }
}
