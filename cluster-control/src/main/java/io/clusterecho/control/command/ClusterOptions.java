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

/**
 * The options that say what a cluster is like, for every command that is told so.
 */
public final class ClusterOptions
{
    private static final String LOCAL_HOST = "127.0.0.1";
    private static final int MAX_MEMBERS = 99;

    @Option(names = "--members", paramLabel = "N", description = "How many members, on 127.0.0.1 (else as echo.hosts; 3).")
    private Integer memberCount;

    @Option(names = "--base-port", paramLabel = "PORT", description = "First port (echo.base.port; 20000).")
    private String basePort;

    @Option(names = "--base-dir", paramLabel = "DIR", description = "Folder of the cluster (echo.base.dir; cluster-data).")
    private String baseDir;

    @Option(names = "--fsync", paramLabel = "LEVEL", description = "File sync level, 0, 1 or 2 (echo.fsync; 0).")
    private String fsync;

    @Option(names = "--mtu", paramLabel = "BYTES", description = "MTU of all channels (echo.mtu; auto).")
    private String mtu;

    @Option(names = "--profile", paramLabel = "NAME", description = "Threads and idle strategies (echo.profile; auto).")
    private String profile;

    @Option(names = "--driver", paramLabel = "KIND", description = "Media driver: java, c or external (echo.driver; java).")
    private String driver;

    @Option(
        names = "--placement", paramLabel = "NAME|FILE",
        description = "Distances to emulate: cluster, partition or a file of zones (echo.placement; none).")
    private String placement;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Any setting, as in --set echo.max.sessions=16.")
    private List<String> assignments = new ArrayList<>();

    @Option(
        names = "--jvm-options", paramLabel = "FILE",
        description = "JVM flags of the members (" + MemberLauncher.JVM_OPTIONS + " beside the jar).")
    private Path jvmOptions;

    @Parameters(paramLabel = "FILE.properties", description = "Files of settings, in UTF-8.")
    private List<Path> files = new ArrayList<>();

    /**
     * The settings that follow: those of files, then system properties, then the command's own, then the options, then
     * assignments.
     *
     * @param ownOptions puts what the command's own options say.
     * @return settings whose number of members is as {@code echo.hosts} has it, if that is given.
     * @throws InvalidSettingException that names key, value and what is allowed.
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
                // Those of this process mean nothing to the members, unless they are told.
                settings.put(key, System.getProperty(key), "-D");
            }
        }

        ownOptions.accept(settings);
        final Map<Setting<?>, Optional<String>> options = Map.of(
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
     * Put as many members onto this machine as were asked for.
     *
     * @param settings to put their hosts into; left as they are if nothing was asked for.
     * @throws InvalidSettingException for a number that cannot be, or is not that of the hosts that were given.
     */
    public void putMemberCount(final Settings settings)
    {
        if (null == memberCount)
        {
            return;
        }

        if (memberCount < 1 || memberCount > MAX_MEMBERS)
        {
            throw new InvalidSettingException("--members", memberCount, "a whole number from 1 to " + MAX_MEMBERS);
        }
        if (!settings.isGiven(NodeSettings.HOSTS))
        {
            settings.put(
                NodeSettings.HOSTS.key(), String.join(",", Collections.nCopies(memberCount, LOCAL_HOST)), "--members");
        }
        else if (settings.value(NodeSettings.HOSTS).size() != memberCount)
        {
            throw new InvalidSettingException(
                "--members", memberCount, settings.value(NodeSettings.HOSTS).size() + ", as many as " +
                NodeSettings.HOSTS.key() + "=" + settings.text(NodeSettings.HOSTS) + " lists; or leave one of both out");
        }
    }

    /**
     * How many members were asked for.
     *
     * @return the number as it was given, or null.
     */
    public Integer memberCount()
    {
        return memberCount;
    }

    /**
     * Which flags members get.
     *
     * @return the file that was given, or null.
     */
    public Path jvmOptions()
    {
        return jvmOptions;
    }
}
