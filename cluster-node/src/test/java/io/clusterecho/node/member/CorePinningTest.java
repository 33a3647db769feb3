package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberThreads.CorePinning;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorePinningTest
{
    @TempDir
    private Path root;

    @Test
    void shouldSeatLeaderAndClientBesideEachOther() throws IOException
    {
        assertThat(pinning("compact", 3, "auto", "0-1")).contains(new CorePinning(1, 0));
        assertThat(pinning("compact", 3, "auto", "4,6")).contains(new CorePinning(6, 4));
    }

    @Test
    void shouldLeaveAllElseToTheSystem() throws IOException
    {
        assertThat(pinning("compact", 3, "any", "0-1")).as("asked for").isEmpty();
        assertThat(pinning("compact", 3, "0", "0-1")).as("a list").isEmpty();
        assertThat(pinning("compact", 1, "auto", "0-1")).as("one member").isEmpty();
        assertThat(pinning("compact", 5, "auto", "0-1")).as("five members").isEmpty();
        assertThat(pinning("compact", 3, "auto", "0-2")).as("three processors").isEmpty();
        assertThat(pinning("compact", 3, "auto", "0")).as("one processor").isEmpty();
        assertThat(pinning("shared", 3, "auto", "0-1")).as("more threads").isEmpty();
    }

    @Test
    void shouldNotSeatMembersOfOtherHosts() throws IOException
    {
        allow("0-1");
        final NodeConfig config = new NodeConfig(settings("compact", "auto")
            .put(NodeSettings.HOSTS.key(), "10.0.0.1,10.0.0.2,10.0.0.3", "test")
            .put(NodeSettings.INSECURE.key(), "true", "test"));
        assertThat(CorePinning.of(config, new HostFiles(root))).isEmpty();
    }

    private Optional<CorePinning> pinning(final String profile, final int memberCount, final String cores, final String allowed)
        throws IOException
    {
        allow(allowed);
        return CorePinning.of(
            new NodeConfig(settings(profile, cores).put(
                NodeSettings.HOSTS.key(), String.join(",", Collections.nCopies(memberCount, "127.0.0.1")), "test")),
            new HostFiles(root));
    }

    private static Settings settings(final String profile, final String cores)
    {
        return new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.PROFILE.key(), profile, "test").put(NodeSettings.CORES.key(), cores, "test");
    }

    private void allow(final String cpus) throws IOException
    {
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/status"), "Cpus_allowed_list:\t" + cpus + "\n");
    }
}
