package io.clusterecho.control.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/**
 * Finds the cluster that a base folder is of. Any thread may call.
 */
public final class RecordedClusters
{
    private RecordedClusters()
    {
    }

    /**
     * The cluster that was last started in a base folder, on this machine or from it.
     *
     * @param baseDir  to look into.
     * @param launcher of its processes, needed only to start members.
     * @return the cluster, running or not, or empty if none was started there.
     */
    public static Optional<Cluster> in(final Path baseDir, final MemberLauncher launcher)
    {
        final ClusterFiles files = new ClusterFiles(baseDir);
        return files.readShared().map(
            (shared) ->
            {
                final Settings settings = settings(shared, baseDir);
                if (Placement.isLost(settings.text(NodeSettings.PLACEMENT)))
                {
                    // Members that run know theirs; without it they can still be looked at and stopped.
                    settings.put(NodeSettings.PLACEMENT.key(), Placement.NONE, "base folder");
                }
                return new Cluster(settings, launcher, Inventory.recordedIn(baseDir).orElse(null));
            });
    }

    /**
     * The cluster of an inventory, even if it was started from another machine: its settings are then asked for, and written
     * into the base folder here.
     *
     * @param baseDir   to look into.
     * @param launcher  needed only to start members.
     * @param inventory of the hosts, or null for what is recorded in the folder.
     * @return the cluster, running or not, or empty if none was started on these hosts.
     * @throws ControlFailure            if none of the hosts answers.
     * @throws InvalidSettingException if the folder is that of a cluster that runs on other hosts, or of one on this machine.
     */
    public static Optional<Cluster> in(
        final Path baseDir, final MemberLauncher launcher, final Inventory inventory)
    {
        if (null == inventory)
        {
            return in(baseDir, launcher);
        }

        final ClusterFiles files = new ClusterFiles(baseDir);
        if (files.readShared().isEmpty())
        {
            inventory.askSettings(baseDir).ifPresent((known) ->
            {
                files.makeBaseDir();
                files.write(new TreeMap<>(known), new NodeConfig(settings(known, baseDir)).members());
                files.writeInventory(inventory.properties());
            });
        }
        else if (!Inventory.recordedIn(baseDir).map((found) -> found.isSame(inventory)).orElse(false))
        {
            // Other cores or another address of ssh are no other cluster, but only while nobody works with the present ones.
            StartChecks.checkInventoryMayChange(inventory, in(baseDir, launcher).orElseThrow());
            files.writeInventory(inventory.properties());
        }

        return in(baseDir, launcher);
    }

    private static Settings settings(final Map<String, String> shared, final Path baseDir)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        shared.forEach((key, value) -> settings.put(key, value, "settings of " + baseDir));
        return settings.put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "base folder");
    }

    /**
     * Write down what the members on this machine are told, for whoever starts them from elsewhere.
     *
     * @param baseDir  of the members here.
     * @param shared   settings of all members.
     * @param launcher of the members' processes.
     * @return the cluster, of which some members run on this machine.
     * @throws InvalidSettingException if a member runs here that was told otherwise.
     */
    public static Cluster configure(
        final Path baseDir, final SortedMap<String, String> shared, final MemberLauncher launcher)
    {
        final ClusterFiles files = new ClusterFiles(baseDir);
        files.makeBaseDir();
        final Cluster cluster = new Cluster(settings(shared, baseDir), launcher, null);
        final Map<String, String> before = files.readShared().orElse(Map.of());
        if (cluster.isAnyAlive() && !cluster.shared().equals(before))
        {
            throw new InvalidSettingException(
                NodeSettings.BASE_DIR.key(), baseDir, "a folder whose members do not run, or run with the same settings");
        }
        files.write(cluster.shared(), cluster.config().members());
        return cluster;
    }
}
