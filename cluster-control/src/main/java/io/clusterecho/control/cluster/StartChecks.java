package io.clusterecho.control.cluster;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * What must hold before the members of a cluster are started.
 */
final class StartChecks
{
    /** What the log that is there was written with: the archive takes up a recording with nothing else, nor does the service. */
    private static final List<Setting<?>> OF_THE_LOG =
        List.of(NodeSettings.HOSTS, NodeSettings.MTU, NodeSettings.LOG_TERM_LENGTH, NodeSettings.SERVICE);

    private StartChecks()
    {
    }

    /**
     * Settings of one member alone are not given for all.
     */
    static void checkGiven(final Settings settings)
    {
        for (final Setting<?> setting : List.of(NodeSettings.MEMBER_ID, NodeSettings.AERON_DIR))
        {
            if (settings.isGiven(setting))
            {
                throw new InvalidSettingException(
                    setting.key(), settings.text(setting), "not given, as each member of a local cluster has its own");
            }
        }
        if (DriverPlan.of(settings, NodeSettings.DRIVER).isFound())
        {
            throw new InvalidSettingException(
                NodeSettings.DRIVER.kind().key(), settings.text(NodeSettings.DRIVER.kind()), "given with " +
                NodeSettings.DRIVER.command().key() + " for a local cluster, as each member has a driver of its own");
        }
        if (settings.isGiven(NodeSettings.DELETE_DATA))
        {
            throw new InvalidSettingException(
                NodeSettings.DELETE_DATA.key(), settings.text(NodeSettings.DELETE_DATA),
                "not given for a whole cluster; to begin with no data, stop it with --delete-data");
        }
    }

    /**
     * Members are where this machine, or the inventory, can have them.
     *
     * @param inventory of their hosts, or null for this machine.
     */
    static void checkPlaces(final NodeConfig config, final Inventory inventory)
    {
        if (null == inventory)
        {
            checkHosts(config);
        }
        else
        {
            checkNotEmulated(config);
        }
    }

    /**
     * All hosts are this machine, unless members are started in a place of their own, which may have other addresses.
     */
    private static void checkHosts(final NodeConfig config)
    {
        if (!config.value(NodeSettings.LAUNCH_PREFIX).isBlank())
        {
            return;
        }

        for (final String host : config.value(NodeSettings.HOSTS))
        {
            try
            {
                final InetAddress address = InetAddress.getByName(host);
                if (!address.isLoopbackAddress() && null == NetworkInterface.getByInetAddress(address))
                {
                    throw new InvalidSettingException(
                        NodeSettings.HOSTS.key(), String.join(",", config.value(NodeSettings.HOSTS)),
                        "addresses of this machine, and " + host + " is none; run the member there by itself");
                }
            }
            catch (final UnknownHostException | SocketException ex)
            {
                throw new InvalidSettingException(
                    NodeSettings.HOSTS.key(), String.join(",", config.value(NodeSettings.HOSTS)),
                    "names that resolve, and not " + ex.getMessage());
            }
        }
    }

    /**
     * Hosts of an inventory are as far apart as they are.
     */
    private static void checkNotEmulated(final NodeConfig config)
    {
        if (config.placement().isPresent())
        {
            throw new InvalidSettingException(
                NodeSettings.PLACEMENT.key(), config.value(NodeSettings.PLACEMENT),
                "none on the hosts of an inventory, whose distances are real");
        }
    }

    /**
     * Members that run must be found again, and those on this machine stay on it.
     */
    static void checkInventoryMayChange(final Inventory inventory, final Cluster before)
    {
        if (before.inventory().isEmpty() || before.isAnyAlive())
        {
            throw new InvalidSettingException(
                "--inventory", inventory, (before.inventory().isEmpty() ? "not given for the cluster in " :
                "the one that runs with the cluster in ") + before.config().baseDir() + before.inventory()
                .map((known) -> " (" + known + ")").orElse(", which is on this machine") +
                "; or another base folder, or stop that cluster with --delete-data");
        }
    }

    /**
     * A log goes on with the MTU that it was begun with, unless another is asked for, which {@link #checkDataFits} refuses.
     */
    static void takeMtuOfLog(final Settings settings)
    {
        if (NodeSettings.AUTO_MTU.equals(settings.value(NodeSettings.MTU)))
        {
            new ClusterFiles(Path.of(settings.value(NodeSettings.BASE_DIR))).readShared()
                .map((known) -> known.get(NodeSettings.MTU.key()))
                .ifPresent((value) -> settings.put(NodeSettings.MTU.key(), value, "base folder"));
        }
    }

    /**
     * Settings that the log was not written with would make the archive refuse it, or be ignored in silence.
     *
     * @param before what members were told that have recorded something, empty if none has.
     */
    static void checkDataFits(final NodeConfig config, final Settings settings, final Map<String, String> before)
    {
        for (final Setting<?> setting : OF_THE_LOG)
        {
            // A cluster of an earlier version has none of a later one's keys, and did what their defaults say.
            final String value = before.isEmpty() ? null : before.getOrDefault(setting.key(), setting.defaultText());
            if (null != value && !meaningOf(setting, value).equals(meaningOf(setting, config.effective().get(setting.key()))))
            {
                throw new InvalidSettingException(
                    setting.key(), settings.text(setting), value + ", with which the log in " + config.baseDir() +
                    " was begun; or another base folder; or delete that log with: stop --delete-data");
            }
        }
    }

    private static Object meaningOf(final Setting<?> setting, final String text)
    {
        // Members may move to other addresses, but not become more or fewer.
        return NodeSettings.HOSTS == setting ? NodeSettings.HOSTS.parse(text).size() : setting.parse(text);
    }
}
