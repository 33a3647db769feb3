package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.node.MemberCommand;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that describe a cluster, for every command that starts or checks one. */
public final class ClusterOptions
{
    private static final int MAX_MEMBERS = 99;
    private static final List<Setting<?>> OPTIONS = List.of(
        NodeSettings.BASE_PORT, NodeSettings.BASE_DIR, NodeSettings.FSYNC, NodeSettings.MTU, NodeSettings.PROFILE,
        NodeSettings.DRIVER.kind(), NodeSettings.CLASS_PATH, NodeSettings.PLACEMENT, NodeSettings.BACKUP);

    private CommandSpec command;

    @Option(names = "--members", paramLabel = "N", description = "Number of members on 127.0.0.1 (default: echo.hosts; 3).")
    private Integer memberCount;

    @Option(
        names = "--set", paramLabel = "KEY=VALUE", description = "Set any key, as in --set echo.max.sessions=16; repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Option(
        names = "--jvm-options", paramLabel = "FILE",
        description = "JVM flags of the members (default: " + MemberLauncher.JVM_OPTIONS + " beside the jar).")
    private Path jvmOptions;

    @Parameters(paramLabel = "FILE.properties", description = "Property files with settings, in UTF-8.")
    private List<Path> files = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    private void command(final CommandSpec mixee)
    {
        command = mixee;
        MemberCommand.addOptions(command, OPTIONS);
    }

    /**
     * The effective settings: files, then system properties, then the command's own options, then the options here, then
     * {@code --set}; later ones win.
     */
    public Settings settings(final Consumer<Settings> ownOptions)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(files)
            .putSystemProperties(System.getProperties());
        // Those of this process reach the members only if set for them explicitly.
        System.getProperties().stringPropertyNames().stream().filter((key) -> key.matches("(aeron|agrona)\\..*"))
            .forEach((key) -> settings.put(key, System.getProperty(key), "-D"));
        ownOptions.accept(settings);
        MemberCommand.putOptions(command, OPTIONS, settings);
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
                NodeSettings.HOSTS.key(), String.join(",", Collections.nCopies(memberCount, "127.0.0.1")), "--members");
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
