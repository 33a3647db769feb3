package io.clusterecho.control.cluster;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.LocalNode;
import io.clusterecho.control.member.Node;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

final class StartChecks
{
    /** Archive, consensus module and service resume a log only with the values that it was written with. */
    private static final List<Setting<?>> OF_THE_LOG = List.of(
        NodeSettings.HOSTS, NodeSettings.MTU, NodeSettings.LOG_TERM_LENGTH, NodeSettings.SERVICE, NodeSettings.SERVICE_CLASS,
        NodeSettings.STATE_LENGTH, NodeSettings.STAGES);

    /** Reject settings of a single member. */
    static void checkGiven(final Settings settings)
    {
        List.of(NodeSettings.MEMBER_ID, NodeSettings.AERON_DIR).forEach((setting) -> InvalidSettingException.throwIf(
            settings.isGiven(setting), setting.key(), settings.text(setting),
            "must not be set for a cluster: each member has its own value"));
        InvalidSettingException.throwIf(
            DriverPlan.of(settings, NodeSettings.DRIVER).isFound(), NodeSettings.DRIVER.kind().key(),
            settings.text(NodeSettings.DRIVER.kind()), "only with " + NodeSettings.DRIVER.command().key() +
            " for a local cluster, because each member needs a separate driver");
    }

    /** Check that this machine, or the inventory, which may be null, has the hosts of the members. */
    static void checkPlaces(final NodeConfig config, final Inventory inventory)
    {
        if (null == inventory)
        {
            checkHosts(config);
            InvalidSettingException.throwIf(
                config.placement().isEmpty() && !Placement.NONE.equals(config.value(NodeSettings.PLACEMENT)),
                NodeSettings.PLACEMENT.key(), config.value(NodeSettings.PLACEMENT),
                "none, or loopback addresses; of other hosts cluster and partition say where they are");
            return;
        }

        // Emulated distances between real hosts.
        InvalidSettingException.throwIf(
            config.placement().isPresent(), NodeSettings.PLACEMENT.key(), config.value(NodeSettings.PLACEMENT),
            "none with an inventory of this machine; of other hosts cluster and partition say where they are");
        InvalidSettingException.throwIf(
            config.value(NodeSettings.BACKUP) && inventory.backup(config).isEmpty(), NodeSettings.BACKUP.key(), "true",
            "false with an inventory in which no host has the role backup, as " + inventory);
    }

    /** All hosts must be this machine, unless a launch prefix starts members elsewhere, such as in a network namespace. */
    private static void checkHosts(final NodeConfig config)
    {
        if (!config.value(NodeSettings.LAUNCH_PREFIX).isBlank())
        {
            return;
        }

        config.value(NodeSettings.HOSTS).forEach((host) -> checkHost(
            NodeSettings.HOSTS, String.join(",", config.value(NodeSettings.HOSTS)), host,
            "addresses of this machine; " + host + " is not one: run its member separately on that host"));
        if (config.value(NodeSettings.BACKUP))
        {
            final String host = config.backupEndpoints().host();
            checkHost(
                NodeSettings.BACKUP_HOST, host, host, "an address of this machine; for another machine use an inventory");
        }
    }

    private static void checkHost(final Setting<?> setting, final String value, final String host, final String allowed)
    {
        try
        {
            final InetAddress address = InetAddress.getByName(host);
            final boolean isLoopback = address.isLoopbackAddress();
            // The JDK lists interfaces only once one of them is up and has an address.
            InvalidSettingException.throwIf(
                isLoopback && null == NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()), setting.key(), value,
                "addresses of an interface that is up; the loopback interface is down: ip link set lo up");
            InvalidSettingException.throwIf(
                !isLoopback && null == NetworkInterface.getByInetAddress(address), setting.key(), value, allowed);
        }
        catch (final UnknownHostException | SocketException ex)
        {
            throw new InvalidSettingException(setting.key(), value, "names that resolve: " + ex.getMessage());
        }
    }

    /** Running members must remain reachable, and a cluster on this machine cannot move to hosts. */
    static void checkInventoryMayChange(final Inventory inventory, final Cluster before)
    {
        final boolean isHere = before.inventory().isEmpty();
        InvalidSettingException.throwIf(
            isHere || before.isAnyAlive(), "--inventory", inventory,
            (isHere ? "must not be set for the cluster in " : "the inventory of the running cluster in ") +
            before.config().baseDir() + before.inventory().map((known) -> " (" + known + ")")
            .orElse(", which is on this machine") + "; or use another base folder, or stop that cluster with --delete-data");
    }

    /** An existing log keeps its MTU, unless another is set, which {@link #checkDataFits} rejects. */
    static void takeMtuOfLog(final Settings settings)
    {
        if (NodeSettings.AUTO.equals(settings.value(NodeSettings.MTU)))
        {
            new ClusterFiles(Path.of(settings.value(NodeSettings.BASE_DIR))).readShared()
                .map((known) -> known.get(NodeSettings.MTU.key()))
                .ifPresent((value) -> settings.put(NodeSettings.MTU.key(), value, "base folder"));
        }
    }

    /** With other settings than before, when the log was written, members would fail, or ignore them silently. */
    static void checkDataFits(final NodeConfig config, final Settings settings, final Map<String, String> before)
    {
        for (final Setting<?> setting : OF_THE_LOG)
        {
            // An earlier version does not write the keys of a later one; it behaved as their defaults.
            final String value = before.isEmpty() ? null : before.getOrDefault(setting.key(), setting.defaultText());
            final String effective = config.effective().get(setting.key());
            if (null != value && !meaningOf(setting, value).equals(meaningOf(setting, effective)))
            {
                throw new InvalidSettingException(
                    setting.key(), shown(setting.key(), settings.isGiven(setting) ? settings.text(setting) : effective),
                    shown(setting.key(), value) + ", the value of the log in " + config.baseDir() +
                    "; or set another --base-dir. To continue with that log, or to delete it:\n  " +
                    Endings.command("start", config.baseDir()) + " " +
                    CommandHint.path(new ClusterFiles(config.baseDir()).settingsFile()) + "\n  " +
                    Endings.command("stop --delete-data", config.baseDir()));
            }
        }
    }

    /**
     * Members without a log would begin another one, of which a backup of the former copies nothing. Without a backup of its
     * own, an earlier cluster in that folder may have left its.
     */
    static void checkBackup(final NodeConfig config, final boolean hasLog, final Optional<Node> own)
    {
        final Node backup = own.orElseGet(
            () -> LocalNode.backup(config, new ClusterFiles(config.baseDir()).settingsFile(), null));
        InvalidSettingException.throwIf(
            !hasLog && backup.hasLog(), "no member has a log, but the backup in " + backup.dir() +
            (backup.hostName().isEmpty() ? "" : " on " + backup.hostName()) +
            " has one, which may be the last copy, and it cannot continue with another log: move that folder away");
    }

    /** One text for each key that differs; of the others, only those set explicitly count. */
    static List<String> differences(final SortedMap<String, String> mine, final Settings others)
    {
        return ClusterFiles.shared(new NodeConfig(others), others.foreignProperties()).entrySet().stream()
            .filter((one) -> !one.getValue().equals(mine.get(one.getKey())))
            .filter((one) -> others.foreignProperties().containsKey(one.getKey()) || NodeSettings.ALL.stream()
            .anyMatch((setting) -> setting.key().equals(one.getKey()) && others.isGiven(setting)))
            .map((one) -> one.getKey() + "=" + shown(one.getKey(), mine.get(one.getKey())) + " there, " +
            shown(one.getKey(), one.getValue()) + " requested").toList();
    }

    private static String shown(final String key, final String value)
    {
        return !"".equals(value) ? value : NodeSettings.SERVICE_CLASS.key().equals(key) ? "(empty: the echo)" : "(empty)";
    }

    private static Object meaningOf(final Setting<?> setting, final String text)
    {
        // Members may change address, but not number.
        return NodeSettings.HOSTS == setting ? NodeSettings.HOSTS.parse(text).size() : setting.parse(text);
    }
}
