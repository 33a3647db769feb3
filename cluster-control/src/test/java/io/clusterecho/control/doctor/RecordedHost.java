package io.clusterecho.control.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.OwnAddress;
import io.clusterecho.settings.Settings;

/** Recorded files of a host below {@code /proc} and {@code /sys}, in a folder, and the plan for it. */
final class RecordedHost
{
    final Path root;

    RecordedHost(final Path root)
    {
        this.root = root;
    }

    /** Cores without hyper-threads, on one node. */
    RecordedHost cores(final int count)
    {
        IntStream.range(0, count).forEach((cpu) ->
            put("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list", String.valueOf(cpu)));
        return put("sys/devices/system/cpu/online", "0-" + (count - 1))
            .put("sys/devices/system/node/node0/cpulist", "0-" + (count - 1));
    }

    /** Make the second half of the processors the second hyper-threads of the cores. */
    RecordedHost hyperThreads(final int count)
    {
        cores(count);
        IntStream.range(0, count).forEach((cpu) -> put(
            "sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list",
            cpu % (count / 2) + "," + (cpu % (count / 2) + count / 2)));
        return this;
    }

    RecordedHost put(final String name, final String content)
    {
        try
        {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), content + "\n");
            return this;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    String text(final String name)
    {
        return new HostFiles(root).text(name).orElseThrow();
    }

    HostFiles files()
    {
        return new HostFiles(root);
    }

    /** Members of one profile, one client, all on loopback. */
    HostPlan plan(final String profile, final int memberCount, final String... keysAndValues)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.PROFILE.key(), profile, "test")
            .put(NodeSettings.BASE_DIR.key(), root.resolve("cluster").toString(), "test")
            .put(NodeSettings.HOSTS.key(), IntStream.range(0, memberCount).mapToObj((id) -> "127.0.0.1")
                .collect(Collectors.joining(",")), "test");
        for (int i = 0; i < keysAndValues.length; i += 2)
        {
            settings.put(keysAndValues[i], keysAndValues[i + 1], "test");
        }
        final NodeConfig config = new NodeConfig(settings);
        return new HostPlan(
            config, config.members().stream().filter((member) -> isHere(member)).toList(), 1, java.util.List.of(),
            root.resolve("node.options"));
    }

    private static boolean isHere(final MemberEndpoints member)
    {
        return OwnAddress.isOwn(member.host());
    }
}
