package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

import io.clusterecho.host.RealPath;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * The files in the base folder of a cluster beside the folders of its members.
 * <pre>
 *   BASE/  settings.properties   settings of every member, without defaults; a member can be run with it by hand
 *          cluster.properties    all settings of every member, and the ingress endpoints, for load clients
 *          start.properties      the start of its members, for load clients
 *          inventory.properties  the hosts of its members, if not on this machine
 *          control.lock          held while a command starts or stops members
 *          member-0/ member-1/ ...
 * </pre>
 *
 * @param baseDir the base folder, an absolute path.
 */
public record ClusterFiles(Path baseDir)
{
    /** Present for a cluster on other hosts. */
    public static final String INVENTORY_FILE = "inventory.properties";
    /** In the command line of each member. */
    public static final String SETTINGS_FILE = "settings.properties";
    private static final String CLUSTER_FILE = "cluster.properties";
    private static final String START_FILE = "start.properties";
    private static final String LOCK_FILE = "control.lock";
    /** Ingress endpoints of the members, among the settings for load clients. */
    public static final String ENDPOINTS_KEY = "ingress.endpoints";
    /** Specific to one member. */
    private static final List<Setting<?>> NOT_SHARED = List.of(NodeSettings.MEMBER_ID, NodeSettings.AERON_DIR);
    /** Written even with their default values: the log needs the same ones in a version with other defaults, or it counts
     * whether they were given. Each version knows them. */
    private static final List<Setting<?>> ALWAYS_WRITTEN = List.of(
        NodeSettings.HOSTS, NodeSettings.BASE_DIR, NodeSettings.MTU, NodeSettings.LOG_TERM_LENGTH,
        NodeSettings.CLIENT_TERM_LENGTH, NodeSettings.SERVICE);

    public ClusterFiles
    {
        baseDir = RealPath.of(baseDir);
    }

    public Path settingsFile()
    {
        return baseDir.resolve(SETTINGS_FILE);
    }

    /** Settings of every member: all keys, also those with default values. */
    public static SortedMap<String, String> shared(final NodeConfig config, final Map<String, String> foreign)
    {
        final SortedMap<String, String> shared = config.effective();
        NOT_SHARED.forEach((setting) -> shared.remove(setting.key()));
        final String credentialsFile = config.value(NodeSettings.CREDENTIALS_FILE);
        if (!credentialsFile.isEmpty())
        {
            shared.put(NodeSettings.CREDENTIALS_FILE.key(), Path.of(credentialsFile).toAbsolutePath().toString());
        }
        shared.putAll(foreign);
        return shared;
    }

    /**
     * The settings that another version must know to run the same cluster: those with other values than the default, and some
     * that each version knows. A version without a key runs a cluster that has its default.
     */
    public static SortedMap<String, String> withoutDefaults(final SortedMap<String, String> shared)
    {
        final SortedMap<String, String> written = new TreeMap<>(shared);
        NodeSettings.ALL.stream().filter((setting) -> !ALWAYS_WRITTEN.contains(setting))
            .forEach((setting) -> written.remove(setting.key(), setting.defaultText()));
        return written;
    }

    /** The reverse of {@link #withoutDefaults}. */
    public static SortedMap<String, String> withDefaults(final Map<String, String> written)
    {
        final SortedMap<String, String> shared = new TreeMap<>(written);
        NodeSettings.ALL.stream().filter((setting) -> !NOT_SHARED.contains(setting))
            .forEach((setting) -> shared.putIfAbsent(setting.key(), setting.defaultText()));
        return shared;
    }

    /** Write the settings of members, and what load clients read of them. */
    public void write(final SortedMap<String, String> shared, final List<MemberEndpoints> members)
    {
        writeAtOnce(
            settingsFile(), "# Settings of every member of this cluster, without defaults. Written by start.",
            withoutDefaults(shared));
        final SortedMap<String, String> cluster = new TreeMap<>(shared);
        cluster.put(ENDPOINTS_KEY, MemberEndpoints.ingressEndpoints(members));
        writeAtOnce(baseDir.resolve(CLUSTER_FILE), "# The cluster in this folder, for load clients. Written by start.", cluster);
    }

    /** Settings of the cluster here, with defaults; empty if none was started. Fails without permission to see that. */
    public Optional<Map<String, String>> readShared()
    {
        if (Files.notExists(settingsFile()))
        {
            return Optional.empty();
        }
        if (!Files.isReadable(settingsFile()))
        {
            throw ControlFailure.denied("read " + settingsFile(), settingsFile());
        }

        return Optional.of(withDefaults(Settings.load(settingsFile())));
    }

    /** What load clients know of the cluster in this folder; empty if none was started here. Fails as {@link #readShared()}. */
    public Map<String, String> readCluster()
    {
        readShared();
        final Path file = baseDir.resolve(CLUSTER_FILE);
        return Files.exists(file) ? new TreeMap<>(Settings.load(file)) : Map.of();
    }

    /** Record that all members are newly started. A member that is started again while others run belongs to their start. */
    public void recordStart()
    {
        writeAtOnce(
            baseDir.resolve(START_FILE), "# The start of the members in this folder. Written by start.",
            new TreeMap<>(Map.of("id", UUID.randomUUID().toString(), "time", Instant.now().toString())));
    }

    /** The {@code id} and {@code time} of the start; empty if by hand, from another machine, or by an earlier version. */
    public Map<String, String> readStart()
    {
        final Path file = baseDir.resolve(START_FILE);
        return Files.exists(file) ? Settings.load(file) : Map.of();
    }

    public void writeInventory(final SortedMap<String, String> inventory)
    {
        writeAtOnce(
            baseDir.resolve(INVENTORY_FILE), "# The hosts of the cluster that was started from here. Written by start.",
            inventory);
    }

    /** Delete these files, and the folder if it is then empty. */
    public void delete()
    {
        Io.run("cannot delete the files in " + baseDir, () ->
        {
            for (final String file : List.of(SETTINGS_FILE, CLUSTER_FILE, START_FILE, INVENTORY_FILE))
            {
                Files.deleteIfExists(baseDir.resolve(file));
            }
            if (MemberFolder.list(baseDir).isEmpty())
            {
                Files.deleteIfExists(baseDir);
            }
        });
    }

    public void makeBaseDir()
    {
        if (!Files.isDirectory(baseDir))
        {
            Io.run((ex) -> notWritten(baseDir, ex), () -> Files.createDirectories(
                baseDir, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        }
    }

    /** Exclude other commands that start or stop members here; fails if one holds the lock, or this user may not. */
    public FolderLock lock()
    {
        final Path file = baseDir.resolve(LOCK_FILE);
        try
        {
            return FolderLock.of(file).orElseThrow(() -> new ControlFailure(ControlFailure.UNUSABLE,
                "another command starts or stops members in " + baseDir + ": wait until it is done"));
        }
        catch (final AccessDeniedException ex)
        {
            throw ControlFailure.denied("write " + file, file);
        }
        catch (final IOException ex)
        {
            throw notWritten(baseDir, ex);
        }
    }

    private static InvalidSettingException notWritten(final Path path, final IOException ex)
    {
        return new InvalidSettingException(
            NodeSettings.BASE_DIR.key(), path + " (" + Cause.of(ex) + ")", NodeSettings.BASE_DIR.allowed());
    }

    private static void writeAtOnce(final Path file, final String title, final SortedMap<String, String> values)
    {
        final StringBuilder text = new StringBuilder(title).append('\n');
        values.forEach((key, value) -> text.append(key).append('=').append(escaped(value)).append('\n'));
        Io.run((ex) -> notWritten(file, ex), () -> Io.replace(file, text.toString()));
    }

    /** In a property file a backslash begins an escape, and leading blanks are dropped. */
    private static String escaped(final String value)
    {
        return value.replace("\\", "\\\\").replaceFirst("^ ", "\\\\ ").replace("\n", "\\n");
    }
}
