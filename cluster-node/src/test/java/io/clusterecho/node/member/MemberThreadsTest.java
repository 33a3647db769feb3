package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberThreadsTest
{
    private static final String MODE_KEY = "aeron.threading.mode";

    @TempDir
    private Path root;

    @AfterEach
    void forgetMode()
    {
        System.clearProperty(MODE_KEY);
    }

    @Test
    void shouldLeaveThreadsThatDoNotSpinToTheSystem() throws IOException
    {
        machine(32, "0-31");
        assertThat(cores("compact", 3, "auto")).isEmpty();
        assertThat(cores("shared", 3, "auto")).isEmpty();
        assertThat(cores("dedicated", 3, "any")).isEmpty();
    }

    @Test
    void shouldGiveEachSpinningThreadACoreButTheFirst() throws IOException
    {
        machine(25, "0-24");
        assertThat(cores("dedicated", 3, "auto")).hasSize(24).startsWith(1, 2, 3).endsWith(24);
        machine(24, "0-23");
        assertThat(cores("dedicated", 3, "auto")).as("one too few").isEmpty();
    }

    @Test
    void shouldTakeTheFirstOfProcessorsThatItWasGiven() throws IOException
    {
        machine(24, "4-11");
        assertThat(cores("dedicated", 1, "auto")).containsExactly(4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void shouldTakeOneHyperThreadOfEachCoreNodeByNode() throws IOException
    {
        machine(36, "0-35");
        for (int cpu = 0; cpu < 36; cpu++)
        {
            put("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list", cpu % 18 + "," + (cpu % 18 + 18));
        }
        put("sys/devices/system/node/node0/cpulist", "0-8,18-26");
        put("sys/devices/system/node/node1/cpulist", "9-17,27-35");
        assertThat(cores("dedicated", 2, "auto")).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    }

    @Test
    void shouldShareAListAmongMembers() throws IOException
    {
        machine(8, "0-7");
        assertThat(cores("compact", 3, "2,4-5")).containsExactly(2, 4, 5);
        assertThat(cores("compact", 3, "0-1")).containsExactly(0, 1, 0);
        assertThat(cores("shared", 2, "0-7")).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void shouldRefuseAListThatSpinningThreadsWouldHaveToShare() throws IOException
    {
        machine(32, "0-31");
        assertThatThrownBy(() -> cores("dedicated", 3, "1-23"))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.cores=1-23 is not allowed: at least 24 processors, one for each of 8 spinning threads of " +
            "3 members on this machine");
    }

    @Test
    void shouldRefuseProcessorsThatAreNotThere() throws IOException
    {
        machine(4, "0-3");
        assertThatThrownBy(() -> cores("compact", 1, "4"))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.cores=4 is not allowed: online processors, 0-3");
    }

    @Test
    void shouldTakeProcessorsThatAreIsolated() throws IOException
    {
        machine(16, "0-1,10-15");
        assertThat(cores("dedicated", 1, "2-9")).containsExactly(2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void shouldNotSpinOnMoreThanAContainerGrants() throws IOException
    {
        machine(32, "0-31");
        put("proc/self/cgroup", "0::/");
        put("sys/fs/cgroup/cpu.max", "700000 100000");
        assertThat(cores("dedicated", 1, "auto")).isEmpty();
        put("sys/fs/cgroup/cpu.max", "800000 100000");
        assertThat(cores("dedicated", 1, "auto")).hasSize(8);
    }

    @Test
    void shouldNotKnowThreadsThatAeronWasAskedFor() throws IOException
    {
        machine(16, "0-15");
        System.setProperty(MODE_KEY, "SHARED_NETWORK");
        assertThat(cores("dedicated", 1, "auto")).isEmpty();
        assertThatThrownBy(() -> cores("dedicated", 1, "1-8")).isInstanceOf(InvalidSettingException.class);
    }

    private List<Integer> cores(final String profile, final int memberCount, final String cores)
    {
        final NodeConfig config = new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.PROFILE.key(), profile, "test")
            .put(NodeSettings.CORES.key(), cores, "test")
            .put(NodeSettings.HOSTS.key(), String.join(",", List.of("127.0.0.1", "127.0.0.1", "127.0.0.1")
                .subList(0, memberCount)), "test"));
        return MemberThreads.coresOfAll(config, new HostFiles(root));
    }

    private void machine(final int count, final String allowed) throws IOException
    {
        put("sys/devices/system/cpu/online", "0-" + (count - 1));
        put("sys/devices/system/node/node0/cpulist", "0-" + (count - 1));
        put("proc/self/status", "Cpus_allowed_list:\t" + allowed);
    }

    private void put(final String name, final String content) throws IOException
    {
        Files.createDirectories(root.resolve(name).getParent());
        Files.writeString(root.resolve(name), content + "\n");
    }
}
