package io.clusterecho.control.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.platform.PathMtu;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.FreePorts;

class HostChecksTest
{
    private static final String CLOCK = "sys/devices/system/clocksource/clocksource0/";
    private static final String OTHER_HOST = "192.0.2.7";
    private static final String[] OTHER_HOSTS =
        { "echo.hosts", "127.0.0.1," + OTHER_HOST + ",127.0.0.1", "echo.insecure", "true" };
    private static final PathMtu ETHERNET = new PathMtu("eth0", 1500, 1500, 28, "");

    @TempDir
    private Path root;

    private RecordedHost host;

    @BeforeEach
    void record()
    {
        host = new RecordedHost(root).cores(8);
    }

    @Test
    void shouldWantAClockThatIsReadWithoutASystemCall()
    {
        assertThat(kernel("compact").clockSource().level()).isEqualTo(Check.Level.UNKNOWN);
        host.put(CLOCK + "current_clocksource", "hpet").put(CLOCK + "available_clocksource", "hpet tsc acpi_pm");
        assertThat(kernel("compact").clockSource().fix())
            .isEqualTo("echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource");
        host.put(CLOCK + "available_clocksource", "hpet acpi_pm");
        assertThat(kernel("compact").clockSource().fix()).contains("choose another machine type");
        host.put(CLOCK + "current_clocksource", "tsc");
        assertThat(kernel("compact").clockSource().level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldWarnOfSlackWhereThreadsSleep()
    {
        host.put("proc/self/timerslack_ns", "50000");
        assertThat(kernel("shared").timerSlack().level()).isEqualTo(Check.Level.WARN);
        assertThat(kernel("compact").timerSlack().level()).isEqualTo(Check.Level.OK);
        assertThat(kernel("dedicated").timerSlack().level()).isEqualTo(Check.Level.OK);
        host.put("proc/self/timerslack_ns", "1000");
        assertThat(kernel("shared").timerSlack().level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldReadTheSlackOfTheThreadThatMayReadIt() throws IOException
    {
        host.put("proc/self/timerslack_ns", "50000");
        host.put("proc/4243/timerslack_ns", "1000");
        Files.createSymbolicLink(root.resolve("proc/thread-self"), Path.of("4242/task/4243"));
        assertThat(kernel("shared").timerSlack().found()).isEqualTo("1000 ns");
    }

    @Test
    void shouldWarnOfHugePagesForAll()
    {
        host.put("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
        assertThat(setting("huge pages").level()).isEqualTo(Check.Level.WARN);
        assertThat(setting("huge pages").fix())
            .isEqualTo("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
        host.put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
        assertThat(setting("huge pages").level()).isEqualTo(Check.Level.OK);
        host.put("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
        assertThat(setting("huge pages").level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldWarnOfAKernelThatSamplesMemory()
    {
        assertThat(kernel("compact").memorySampling().level()).isEqualTo(Check.Level.OK);
        final String folder = "sys/kernel/mm/damon/admin/kdamonds/";
        host.put(folder + "nr_kdamonds", "2").put(folder + "0/state", "off").put(folder + "1/state", "on");
        assertThat(kernel("compact").memorySampling().level()).isEqualTo(Check.Level.WARN);
        assertThat(kernel("compact").memorySampling().found()).isEqualTo("DAMON");
        assertThat(kernel("compact").memorySampling().fix())
            .isEqualTo("echo off | sudo tee /sys/kernel/mm/damon/admin/kdamonds/1/state");
        host.put(folder + "1/contexts/0/monitoring_attrs/intervals/sample_us", "500000");
        assertThat(kernel("compact").memorySampling().found()).isEqualTo("DAMON, each 500 ms");
    }

    @Test
    void shouldWarnOfASwapThatIsUsedEarly()
    {
        host.put("proc/meminfo", "SwapTotal: 1048576 kB").put("proc/sys/vm/swappiness", "60");
        assertThat(kernel("compact").swap().level()).isEqualTo(Check.Level.WARN);
        host.put("proc/sys/vm/swappiness", "1");
        assertThat(kernel("compact").swap().level()).isEqualTo(Check.Level.OK);
        host.put("proc/meminfo", "SwapTotal: 0 kB").put("proc/sys/vm/swappiness", "60");
        assertThat(kernel("compact").swap().level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldWantWriteBackThatBeginsEarlyAndThrottlesLate()
    {
        assertThat(setting("write-back").level()).isEqualTo(Check.Level.UNKNOWN);
        final String background = "proc/sys/vm/dirty_background_ratio";
        final String limit = "proc/sys/vm/dirty_ratio";
        host.put(background, "10").put(limit, "40");
        assertThat(setting("write-back").level()).isEqualTo(Check.Level.WARN);
        host.put(background, "5").put(limit, "20");
        assertThat(setting("write-back").fix())
            .isEqualTo("sudo sysctl -w vm.dirty_ratio=40");
        host.put(limit, "40");
        assertThat(setting("write-back").level()).isEqualTo(Check.Level.OK);
        host.put(limit, "0").put("proc/sys/vm/dirty_bytes", "8589934592");
        assertThat(setting("write-back").level()).isEqualTo(Check.Level.OK);
        assertThat(setting("write-back").found()).isEqualTo("vm.dirty_background_ratio=5, vm.dirty_bytes=8589934592");
    }

    @Test
    void shouldWantFreeMemoryForWhatMayNotWait()
    {
        host.put("proc/meminfo", "MemTotal: 16000000 kB").put("proc/sys/vm/min_free_kbytes", "67584");
        assertThat(setting("free memory").level()).isEqualTo(Check.Level.WARN);
        assertThat(setting("free memory").fix())
            .isEqualTo("sudo sysctl -w vm.min_free_kbytes=160000");
        host.put("proc/sys/vm/min_free_kbytes", "160000");
        assertThat(setting("free memory").level()).isEqualTo(Check.Level.OK);
        host.put("proc/sys/vm/zone_reclaim_mode", "1");
        assertThat(setting("free memory").level()).isEqualTo(Check.Level.WARN);
        host.put("proc/sys/vm/zone_reclaim_mode", "0").put("proc/meminfo", "MemTotal: 400000000 kB")
            .put("proc/sys/vm/min_free_kbytes", "1048576");
        assertThat(setting("free memory").level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldWantMemoryForHeapsAndBuffersInTheContainerToo()
    {
        host.put("node.options", "-Xms64m # a comment\n-Xmx512m").put("proc/meminfo", "MemAvailable:  8388608 kB");
        assertThat(kernel("compact").memory().level()).isEqualTo(Check.Level.OK);
        host.put("proc/self/cgroup", "0::/").put("sys/fs/cgroup/memory.max", String.valueOf(1L << 30));
        assertThat(kernel("compact").memory().level()).isEqualTo(Check.Level.FAIL);
        assertThat(kernel("compact").memory().fix()).startsWith("run the container with --memory=");
        host.put("sys/fs/cgroup/memory.max", "max").put("proc/meminfo", "MemAvailable:  1048576 kB");
        assertThat(kernel("compact").memory().fix()).contains("-Xmx");
    }

    @Test
    void shouldWarnOfAQuotaOfProcessorTime()
    {
        assertThat(kernel("compact").containerProcessors().level()).isEqualTo(Check.Level.OK);
        host.put("proc/self/cgroup", "0::/").put("sys/fs/cgroup/cpu.max", "400000 100000");
        assertThat(kernel("compact").containerProcessors().found()).isEqualTo("4.00 processors");
        assertThat(kernel("compact").containerProcessors().level()).isEqualTo(Check.Level.WARN);
    }

    @Test
    void shouldWantLongSocketBuffers()
    {
        assertThat(setting("network").level()).isEqualTo(Check.Level.UNKNOWN);
        host.put("proc/sys/net/core/rmem_max", "4194304").put("proc/sys/net/core/wmem_max", "4194304");
        assertThat(setting("network").level()).isEqualTo(Check.Level.OK);
        host.put("proc/sys/net/core/rmem_max", "212992").put("proc/sys/net/core/wmem_max", "212992");
        assertThat(setting("network").level()).isEqualTo(Check.Level.WARN);
        assertThat(setting("network").found()).isEqualTo("net.core.rmem_max=212992, net.core.wmem_max=212992");
        assertThat(setting("network").fix())
            .isEqualTo("sudo sysctl -w net.core.rmem_max=4194304 net.core.wmem_max=4194304");
    }

    @Test
    void shouldCompareTheBuffersOfTcp()
    {
        final String receive = "proc/sys/net/ipv4/tcp_rmem";
        final String send = "proc/sys/net/ipv4/tcp_wmem";
        assertThat(setting("tcp").level()).isEqualTo(Check.Level.UNKNOWN);
        host.put(receive, "4096\t131072\t4194304").put(send, "4096\t16384\t8388608")
            .put("proc/sys/net/ipv4/tcp_slow_start_after_idle", "0");
        assertThat(setting("tcp").level()).isEqualTo(Check.Level.OK);
        assertThat(setting("tcp").found())
            .isEqualTo("net.ipv4.tcp_rmem=4096 131072 4194304, net.ipv4.tcp_wmem=4096 16384 8388608, " +
                "net.ipv4.tcp_slow_start_after_idle=0");

        host.put(receive, "4096\t131072\t4194303");
        assertThat(setting("tcp").level()).isEqualTo(Check.Level.WARN);
        assertThat(setting("tcp").wanted()).contains("4194304 or more");
        assertThat(setting("tcp").fix()).isEqualTo("sudo sysctl -w net.ipv4.tcp_rmem='4096 131072 4194304'");
        host.put(receive, "4096\t131072\t4194304").put(send, "4096\t16384\tmany");
        assertThat(setting("tcp").fix()).isEqualTo("sudo sysctl -w net.ipv4.tcp_wmem='4096 16384 4194304'");
        host.put("proc/sys/net/ipv4/tcp_slow_start_after_idle", "1");
        assertThat(setting("tcp").fix())
            .isEqualTo("sudo sysctl -w net.ipv4.tcp_wmem='4096 16384 4194304' net.ipv4.tcp_slow_start_after_idle=0");
    }

    @Test
    void shouldCompareEachSettingThatTheScriptChanges() throws IOException
    {
        final List<KernelSetting> settings = KernelSetting.all();
        assertThat(settings).extracting(KernelSetting::name).doesNotHaveDuplicates().contains(
            "net.core.rmem_max", "net.ipv4.tcp_max_syn_backlog", "net.ipv4.tcp_syn_retries", "net.ipv4.tcp_tw_reuse",
            "vm.dirty_expire_centisecs", "vm.min_free_kbytes");
        assertThat(settings).allSatisfy((setting) ->
        {
            assertThat(setting.reason()).as(setting.name()).isNotBlank();
            assertThat(setting.rule()).isIn("least", "most", "is", "last", "choice", "memory");
            assertThat(setting.value().isEmpty()).as("named only, as its value is unknown")
                .isEqualTo("?".equals(setting.guide()));
        });
        host.put("proc/sys/vm/stat_interval", "1").put("proc/sys/kernel/nmi_watchdog", "0").put("sys/kernel/mm/ksm/run", "1");
        assertThat(setting("interruptions").found()).isEqualTo("vm.stat_interval=1, kernel.nmi_watchdog=0, ksm/run=1");
        assertThat(setting("interruptions").wanted()).startsWith("vm.stat_interval 120 or more, because the kernel interrupts");
        assertThat(setting("interruptions").fix())
            .isEqualTo("sudo sysctl -w vm.stat_interval=120; echo 0 | sudo tee /sys/kernel/mm/ksm/run");
        final List<Check> all = new java.util.ArrayList<>(kernel("compact").ofKernel());
        all.addAll(network().ofNetwork());
        assertThat(all).extracting(Check::name).containsAll(
            settings.stream().map(KernelSetting::check).filter((name) -> !name.isEmpty()).toList());
    }

    @Test
    void shouldFailWhereTheInterfaceDoesNotCarryTheMtu()
    {
        final Check check = network("echo.mtu", "8192", OTHER_HOSTS).pathMtu(OTHER_HOST);
        assertThat(check.level()).isEqualTo(Check.Level.FAIL);
        assertThat(check.found()).isEqualTo("eth0 has an MTU of 1500, echo.mtu=8192");
        assertThat(check.wanted()).startsWith("at most 1472 to 192.0.2.7, or an MTU of 8220 on every host");
        assertThat(check.fix()).isEqualTo("scripts/start-cluster.sh --mtu 1472");
    }

    @Test
    void shouldCompareTheMtuWithThePathToOtherHosts()
    {
        assertThat(pathMtu(ETHERNET).level()).isEqualTo(Check.Level.OK);
        final Check check = pathMtu(new PathMtu("eth0", 1500, 1400, 28, ""));
        assertThat(check.level()).isEqualTo(Check.Level.FAIL);
        assertThat(check.found()).startsWith("a link on the path has a measured MTU of 1400");
        assertThat(check.fix()).isEqualTo("scripts/start-cluster.sh --mtu 1344");
        final Check silent = pathMtu(new PathMtu("eth0", 1500, 1500, 28, "it does not answer"));
        assertThat(silent.level()).isEqualTo(Check.Level.UNKNOWN);
        assertThat(silent.found()).contains("eth0", "1500", "it does not answer");
        assertThat(silent.wanted()).contains("20019", "tracepath -n ");
    }

    @Test
    void shouldFailForAHostThatCannotBeReached()
    {
        final HostPlan plan = host.plan("compact", 3, OTHER_HOSTS);
        assertThat(new SystemChecks(plan, host.files(), (name) -> Optional.empty()).ofNetwork())
            .filteredOn((check) -> "mtu".equals(check.name()))
            .extracting(Check::level, Check::found).containsExactly(
                org.assertj.core.groups.Tuple.tuple(Check.Level.FAIL, "no route to 192.0.2.7"));
    }

    @Test
    void shouldCompareSharedMemoryWithTheNeedOfMembersAndClients()
    {
        host.put("proc/self/mounts", "tmpfs /dev/shm tmpfs rw 0 0");
        assertThat(storage(64L << 20, "compact").sharedMemory().level()).isEqualTo(Check.Level.FAIL);
        assertThat(storage(64L << 20, "compact").sharedMemory().fix()).matches(
            "sudo mount -o remount,size=[0-9]+g /dev/shm # for a container: --shm-size=[0-9]+g");
        assertThat(storage(4L << 30, "compact").sharedMemory().level()).isEqualTo(Check.Level.OK);
        host.put("proc/self/mounts", "/dev/vda /dev/shm ext4 rw 0 0");
        assertThat(storage(4L << 30, "compact").sharedMemory().level()).isEqualTo(Check.Level.WARN);
    }

    @Test
    void shouldWantALocalDiskWithRoom()
    {
        host.put("proc/self/mounts", "/dev/vda / ext4 rw,relatime 0 0");
        assertThat(storage(1L << 30, "compact").disk().level()).isEqualTo(Check.Level.OK);
        assertThat(storage(100L << 20, "compact").disk().level()).isEqualTo(Check.Level.FAIL);
        assertThat(storage(0, "compact").fileSystem().level()).isEqualTo(Check.Level.OK);
        host.put("proc/self/mounts", "/dev/vda / xfs rw,relatime,nobarrier 0 0");
        assertThat(storage(0, "compact").fileSystem().wanted()).startsWith("barriers, ");
        host.put("proc/self/mounts", "tmpfs / tmpfs rw 0 0");
        assertThat(storage(0, "compact").fileSystem().level()).isEqualTo(Check.Level.WARN);
        host.put("proc/self/mounts", "overlay / overlay rw 0 0");
        assertThat(storage(0, "compact").fileSystem().level()).isEqualTo(Check.Level.WARN);
        host.put("proc/self/mounts", "/dev/vda / ext4 rw 0 0");
        assertThat(storage(0, "compact").fileSystem().fix()).isEqualTo("sudo mount -o remount,noatime /");
    }

    @Test
    void shouldCompareTheDiskWithTheFileSyncLevel()
    {
        final Function<Path, Double> slow = (folder) -> 4.0;
        assertThat(storage(0, "compact").diskSpeed(slow).level()).isEqualTo(Check.Level.OK);
        assertThat(storage(0, "compact", "echo.fsync", "1").diskSpeed(slow).level()).isEqualTo(Check.Level.WARN);
        assertThat(storage(0, "compact", "echo.fsync", "1").diskSpeed((folder) -> 0.1).level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldFailWhereTheFolderCannotBeWritten()
    {
        final Check check = storage(0, "compact").diskSpeed((folder) ->
        {
            throw new InvalidSettingException("echo.base.dir", folder, "a writable folder");
        });
        assertThat(check.level()).isEqualTo(Check.Level.FAIL);
        assertThat(check.fix()).startsWith("sudo chown");
    }

    @Test
    void shouldNameASizeOfSharedMemoryThatContainsWhatOthersUse() throws IOException
    {
        final Check check = new StorageChecks(
            host.plan("compact", 1), host.files(),
            (folder) -> Optional.of(new StorageChecks.Space(1 << 20, 8L << 30))).all().get(0);
        assertThat(check.level()).isEqualTo(Check.Level.FAIL);
        assertThat(check.fix()).contains("remount,size=9g").contains("--shm-size=9g");
    }

    @Test
    void shouldMeasureTheDiskOfTheCluster() throws IOException
    {
        Files.createDirectories(root.resolve("cluster"));
        final Check check = new StorageChecks(
            host.plan("compact", 1), host.files(), StorageChecks::space).all().get(3);
        assertThat(check.found()).matches("a page is synced in [0-9]+\\.[0-9]{3} ms \\(median\\), echo.fsync=0");
        assertThat(root.resolve("cluster")).isEmptyDirectory();
    }

    @Test
    void shouldTakeTheHeapOfTheProfile() throws IOException
    {
        assertThat(host.plan("compact", 1).maxHeapBytes()).isEqualTo(1L << 30);
        host.put("node.options", "-Xms64m -Xmx512m # not -Xmx4g").put("node-dedicated.options", "-Xmx2g");
        assertThat(host.plan("compact", 1).maxHeapBytes()).isEqualTo(512L << 20);
        assertThat(host.plan("dedicated", 1).maxHeapBytes()).isEqualTo(2L << 30);
        // A heap of fixed size: allocated completely at start.
        assertThat(Path.of("../config/jvm/node.options")).content().contains("-Xmx1g");
        assertThat(Path.of("../config/jvm/node-dedicated.options")).content().contains("-Xms1g");
    }

    @Test
    void shouldWarnOfPortsThatTheKernelGivesToClients()
    {
        host.put("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
        final int firstPort = FreePorts.block();
        assertThat(ports(firstPort).level()).isEqualTo(Check.Level.OK);
        host.put("proc/sys/net/ipv4/ip_local_port_range", firstPort + 19 + "\t60999\n");
        assertThat(ports(firstPort).level()).isEqualTo(Check.Level.WARN);
        assertThat(ports(firstPort).found()).contains(firstPort + " to " + (firstPort + 29), firstPort + 19 + "-60999");
        assertThat(ports(firstPort).fix()).isEqualTo("scripts/start-cluster.sh --base-port 20000");
        host.put("proc/sys/net/ipv4/ip_local_port_range", "1024\t" + (firstPort - 1) + "\n");
        assertThat(ports(firstPort).level()).isEqualTo(Check.Level.OK);
    }

    private Check ports(final int firstPort)
    {
        final HostPlan plan = host.plan("compact", 3, "echo.base.port", String.valueOf(firstPort));
        return new StorageChecks(plan, host.files(), StorageChecks::space).ports();
    }

    private Check setting(final String name)
    {
        return KernelSetting.check(name, host.files());
    }

    private SystemChecks kernel(final String profile)
    {
        final HostPlan plan = host.plan(profile, 3);
        return new SystemChecks(plan, host.files(), (name) -> Optional.of(ETHERNET));
    }

    private StorageChecks storage(final long usable, final String profile, final String... settings)
    {
        return new StorageChecks(
            host.plan(profile, 3, settings), host.files(), (folder) -> Optional.of(new StorageChecks.Space(usable, usable)));
    }

    private SystemChecks network(final String key, final String value, final String... more)
    {
        final List<String> settings = new java.util.ArrayList<>(List.of(more));
        settings.addAll(List.of(key, value));
        return network(ETHERNET, settings.toArray(String[]::new));
    }

    private SystemChecks network()
    {
        return network(ETHERNET);
    }

    private SystemChecks network(final PathMtu path, final String... settings)
    {
        return new SystemChecks(host.plan("compact", 3, settings), host.files(), (name) -> Optional.of(path));
    }

    private Check pathMtu(final PathMtu path)
    {
        return network(path, OTHER_HOSTS).pathMtu(OTHER_HOST);
    }
}
