package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that describe a cluster, for every command that starts or checks one. */
public final class ClusterOptions
{
    private static final String LOCAL_HOST = "127.0.0.1";
    private static final int MAX_MEMBERS = 99;

    @Option(names = "--members", paramLabel = "N", description = "Number of members on 127.0.0.1 (default: echo.hosts; 3).")
    private Integer memberCount;

    @Option(names = "--base-port", paramLabel = "PORT", description = "First port (echo.base.port; default: 20000).")
    private String basePort;

    @Option(
        names = "--base-dir", paramLabel = "DIR", description = "Folder of the cluster (echo.base.dir; default: cluster-data).")
    private String baseDir;

    @Option(names = "--fsync", paramLabel = "LEVEL", description = "File sync level: 0, 1 or 2 (echo.fsync; default: 0).")
    private String fsync;

    @Option(names = "--mtu", paramLabel = "BYTES", description = "MTU of all channels (echo.mtu; default: auto).")
    private String mtu;

    @Option(
        names = "--profile", paramLabel = "NAME",
        description = "Threads and idle strategies: compact, shared, dedicated or auto; stock: Aeron's defaults (echo.profile; " +
            "default: auto).")
    private String profile;

    @Option(
        names = "--driver", paramLabel = "KIND",
        description = "Media driver: java, embedded or c (echo.driver; default: java).")
    private String driver;

    @Option(
        names = "--placement", paramLabel = "NAME|FILE",
        description = "Emulated distances: cluster, partition, none or a file of zones (echo.placement; default: none).")
    private String placement;

    @Option(names = "--backup", description = "Run a backup beside the members (echo.backup; default: false).")
    private boolean isBackup;

    @Option(
        names = "--set", paramLabel = "KEY=VALUE", description = "Set any key, as in --set echo.max.sessions=16; repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Option(
        names = "--jvm-options", paramLabel = "FILE",
        description = "JVM flags of the members (default: " + MemberLauncher.JVM_OPTIONS + " beside the jar).")
    private Path jvmOptions;

    @Parameters(paramLabel = "FILE.properties", description = "Property files with settings, in UTF-8.")
    private List<Path> files = new ArrayList<>();

    /**
     * The effective settings: files, then system properties, then the command's own options, then the options here, then
     * {@code --set}; later ones win.
     */
    public Settings settings(final Consumer<Settings> ownOptions)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(files)
            .putSystemProperties(System.getProperties());
        for (final String key : System.getProperties().stringPropertyNames())
        {
            if (key.startsWith("aeron.") || key.startsWith("agrona."))
            {
                // Those of this process reach the members only if set for them explicitly.
                settings.put(key, System.getProperty(key), "-D");
            }
        }

        ownOptions.accept(settings);
        final Map<Setting<?>, Optional<String>> options = Map.of(
            NodeSettings.BACKUP, isBackup ? Optional.of("true") : Optional.empty(),
            NodeSettings.BASE_PORT, Optional.ofNullable(basePort),
            NodeSettings.BASE_DIR, Optional.ofNullable(baseDir),
            NodeSettings.FSYNC, Optional.ofNullable(fsync),
            NodeSettings.MTU, Optional.ofNullable(mtu),
            NodeSettings.DRIVER.kind(), Optional.ofNullable(driver),
            NodeSettings.PROFILE, Optional.ofNullable(profile),
            NodeSettings.PLACEMENT, Optional.ofNullable(placement));
        options.forEach((setting, text) -> text.ifPresent((value) -> settings.put(setting.key(), value, "option")));
        return settings.putAssignments(assignments, "--set");
    }

    /**
     * Set the hosts for the requested number of members on this machine, if there is one; rejects one that differs from the
     * hosts that were set.
     */
    public void putMemberCount(final Settings settings)
    {
        if (null == memberCount)
        {
            return;
        }

        InvalidSettingException.throwIf(
            memberCount < 1 || memberCount > MAX_MEMBERS, "--members", memberCount, "a whole number from 1 to " + MAX_MEMBERS);
        if (!settings.isGiven(NodeSettings.HOSTS))
        {
            settings.put(
                NodeSettings.HOSTS.key(), String.join(",", Collections.nCopies(memberCount, LOCAL_HOST)), "--members");
        }
        else if (settings.value(NodeSettings.HOSTS).size() != memberCount)
        {
            throw new InvalidSettingException(
                "--members", memberCount, settings.value(NodeSettings.HOSTS).size() + ", the number of hosts in " +
                NodeSettings.HOSTS.key() + "=" + settings.text(NodeSettings.HOSTS) + "; or set only one of the two");
        }
    }

    /** Value of {@code --members}, or null if it was not set. */
    public Integer memberCount()
    {
        return memberCount;
    }

    /** Value of {@code --jvm-options}, or null if it was not set. */
    public Path jvmOptions()
    {
        return jvmOptions;
    }
}
