package io.clusterecho.control.remote;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.Node;
import io.clusterecho.control.remote.InventoryHost.Role;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * The hosts of a cluster and its clients, from a property file. Immutable.
 * <pre>
 *   hosts=NAME,NAME...     names of all hosts
 *   KEY=VALUE              for all hosts
 *   host.NAME.KEY=VALUE    for one host; overrides the above
 * </pre>
 */
public final class Inventory
{
    private static final String HOSTS_KEY = "hosts";
    private static final String HOST_PREFIX = "host.";
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9-]{0,62}";
    /** Keys that cannot be the same for several hosts. */
    private static final Set<String> OF_ONE =
        Set.of(InventoryHost.ROLES.key(), InventoryHost.ADDRESS.key(), InventoryHost.SSH.key());

    private final Path file;
    private final SortedMap<String, String> properties;
    private final List<InventoryHost> hosts;

    /** Read and check an inventory in UTF-8; an error has key, value and what is allowed of the first invalid entry. */
    public Inventory(final Path file)
    {
        this.file = file;
        final SortedMap<String, String> read = new TreeMap<>(Settings.load(file));
        // The path of a key is relative to the inventory, which can be recorded elsewhere.
        read.replaceAll((key, value) -> !value.isBlank() && ("." + key).endsWith("." + InventoryHost.KEY.key()) ?
            file.toAbsolutePath().resolveSibling(value.trim()).normalize().toString() : value);
        properties = Collections.unmodifiableSortedMap(read);
        final String text = read.getOrDefault(HOSTS_KEY, "").trim();
        final List<String> names = List.of(text.split("\\s*,\\s*", -1));
        InvalidSettingException.throwIf(
            !names.stream().allMatch((name) -> name.matches(NAME)) || new HashSet<>(names).size() != names.size(),
            HOSTS_KEY, text, "different names of letters, digits and hyphens, separated by commas");
        read.forEach((key, value) -> checkKey(key, value, names));
        hosts = names.stream().map((name) -> InventoryHost.of(name, settingsOf(name))).toList();
        for (final String kind : List.of(Role.MEMBER, Role.CLIENT))
        {
            final List<Integer> found = indexes(kind);
            InvalidSettingException.throwIf(
                !found.equals(IntStream.range(0, found.size()).boxed().toList()), "roles", kind + " " + found,
                "each number from 0 exactly once (" + file + ")");
        }
        InvalidSettingException.throwIf(
            indexes(Role.BACKUP).size() > 1, "roles", Role.BACKUP, "given to one host, once (" + file + ")");
    }

    /** The inventory of the cluster that was last started in a base folder; empty if there is none, or it is on this machine. */
    public static Optional<Inventory> recordedIn(final Path baseDir)
    {
        final Path file = baseDir.resolve(ClusterFiles.INVENTORY_FILE);
        return Files.exists(file) ? Optional.of(new Inventory(file)) : Optional.empty();
    }

    private void checkKey(final String key, final String value, final List<String> names)
    {
        String own = key;
        if (key.startsWith(HOST_PREFIX))
        {
            final String rest = key.substring(HOST_PREFIX.length());
            final String name = names.stream().filter((host) -> rest.startsWith(host + ".")).findFirst().orElseThrow(
                () -> new InvalidSettingException(
                    key, value, "host.NAME.KEY with one of the names " + String.join(", ", names) + " (" + file + ")"));
            own = rest.substring(name.length() + 1);
        }
        final List<String> known = InventoryHost.SETTINGS.stream().map(Setting::key).toList();
        InvalidSettingException.throwIf(
            !HOSTS_KEY.equals(key) && (!known.contains(own) || !key.startsWith(HOST_PREFIX) && OF_ONE.contains(own)),
            "unknown key " + key + "=" + value + " (" + file + "); known keys: " + HOSTS_KEY + ", for all hosts or as " +
            "host.NAME.KEY for one " + known.stream().filter((one) -> !OF_ONE.contains(one)).collect(Collectors.joining(", ")) +
            ", and only for one host " + OF_ONE.stream().sorted().collect(Collectors.joining(", ")));
    }

    private Settings settingsOf(final String name)
    {
        final String prefix = HOST_PREFIX + name + ".";
        final Settings settings = new Settings("", InventoryHost.SETTINGS);
        for (final Setting<?> setting : InventoryHost.SETTINGS)
        {
            final String key = properties.containsKey(prefix + setting.key()) ? prefix + setting.key() : setting.key();
            final String value = properties.get(key);
            if (null != value)
            {
                InvalidSettingException.parsed(
                    key, value, setting.allowed() + " (" + file + ")", (text) -> setting.parser().apply(text.trim()));
                settings.put(setting.key(), value.trim(), file.toString());
            }
        }

        return settings;
    }

    private List<Integer> indexes(final String kind)
    {
        return hosts.stream().flatMap((host) -> host.indexes(kind).stream()).sorted().toList();
    }

    /** All hosts, in the order of the file. */
    public List<InventoryHost> hosts()
    {
        return hosts;
    }

    /** The hosts of load clients, in the order of the clients' numbers; a host with two clients is listed twice. */
    public List<InventoryHost> clients()
    {
        return inOrder(Role.CLIENT);
    }

    /** The host of the servers of other systems: the first with that role. */
    public Optional<InventoryHost> peer()
    {
        return inOrder(Role.PEER).stream().findFirst();
    }

    public int memberCount()
    {
        return inOrder(Role.MEMBER).size();
    }

    /** The backup on the host with that role, also one that an earlier cluster has left; empty if no host has the role. */
    public Optional<Node> backup(final NodeConfig config)
    {
        return inOrder(Role.BACKUP).stream().findFirst().map((host) -> RemoteNode.backup(
            HostLink.to(host), RemoteHost.baseDir(host, config.baseDir()), config.backupEndpoints()));
    }

    /** Set the hosts of a cluster to the addresses of the first members, or of all for null, and of the backup. */
    public void putHosts(final Settings settings, final Integer memberCount)
    {
        final int count = null == memberCount ? memberCount() : memberCount;
        InvalidSettingException.throwIf(
            count < 1 || count > memberCount(), "--members", count, "1 to " + memberCount() + ", the members in " + file);
        List.of(NodeSettings.HOSTS, NodeSettings.BACKUP_HOST).forEach((setting) -> InvalidSettingException.throwIf(
            settings.isGiven(setting), setting.key(), settings.text(setting),
            "must not be set with an inventory, which has the hosts"));
        settings.put(
            NodeSettings.HOSTS.key(),
            inOrder(Role.MEMBER).stream().limit(count).map(InventoryHost::address).collect(Collectors.joining(",")),
            file.toString());
        inOrder(Role.BACKUP).forEach(
            (host) -> settings.put(NodeSettings.BACKUP_HOST.key(), host.address(), file.toString()));
    }

    /** The hosts of members or of the backup, in the order of the file; no connection is opened. */
    public List<MemberHost> memberHosts(final NodeConfig config)
    {
        final List<MemberEndpoints> members = config.members();
        InvalidSettingException.throwIf(
            members.size() > memberCount(), NodeSettings.HOSTS.key(), config.value(NodeSettings.HOSTS),
            "at most " + memberCount() + ", as in " + file);

        return hosts.stream().<MemberHost>map((host) -> new RemoteHost(
            HostLink.to(host), config,
            host.indexes(Role.MEMBER).stream().filter((index) -> index < members.size()).map(members::get).toList(),
            config.value(NodeSettings.BACKUP) && !host.indexes(Role.BACKUP).isEmpty()))
            .filter((host) -> !host.members().isEmpty() || host.backup().isPresent()).toList();
    }

    /** Settings of members last started for a base folder here, from the first host that has them; fails if none answers. */
    public Optional<Map<String, String>> askSettings(final Path baseDir)
    {
        ControlFailure failure = null;
        int answered = 0;
        for (final InventoryHost host : inOrder(Role.MEMBER).stream().distinct().toList())
        {
            try
            {
                final Optional<Map<String, String>> found = RemoteHost.askSettings(HostLink.to(host), baseDir);
                answered++;
                if (found.isPresent())
                {
                    return found;
                }
            }
            catch (final ControlFailure ex)
            {
                failure = ex;
            }
        }
        if (0 == answered && null != failure)
        {
            throw failure;
        }

        return Optional.empty();
    }

    /** Entries of the file, with absolute paths; two inventories are the same if theirs are. */
    public SortedMap<String, String> properties()
    {
        return properties;
    }

    private List<InventoryHost> inOrder(final String kind)
    {
        final SortedMap<Integer, InventoryHost> found = new TreeMap<>();
        hosts.forEach((host) -> host.indexes(kind).forEach((index) -> found.putIfAbsent(index, host)));
        return List.copyOf(found.values());
    }

    @Override
    public String toString()
    {
        return file.toString();
    }
}
