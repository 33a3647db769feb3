package io.clusterecho.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostTest
{
    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(strings = { "", "0", "0-3", "0-3,8", "1,3,5-6,200" })
    void shouldWriteListsOfProcessorsAsItReadsThem(final String text)
    {
        assertThat(CpuList.format(CpuList.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = { "(null)", "3-1", "a", "1,,2", "0-99999" })
    void shouldRejectTextThatIsNotAListOfProcessors(final String text)
    {
        assertThatThrownBy(() -> CpuList.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(text);
    }

    @Test
    void shouldDistinguishMonotonicClocks()
    {
        final RecordedHost host = RecordedHost.server(root);
        assertThat(MonotonicClock.id(host.files())).isEqualTo(MonotonicClock.UNKNOWN);
        host.put("proc/sys/kernel/random/boot_id", "8b1c4f1e-0001");
        final long first = MonotonicClock.id(host.files());
        host.link("proc/self/ns/time", "time:[4026531834]");
        final long inNamespace = MonotonicClock.id(host.files());
        host.put("proc/sys/kernel/random/boot_id", "8b1c4f1e-0002");

        assertThat(List.of(first, inNamespace, MonotonicClock.id(host.files()))).doesNotHaveDuplicates()
            .doesNotContain(MonotonicClock.UNKNOWN);
        assertThat(MonotonicClock.id()).isEqualTo(MonotonicClock.id());
    }

    @Test
    void shouldDistinguishCoresFromHyperThreads()
    {
        final Processors processors = Processors.of(RecordedHost.server(root).files());
        assertThat(processors.online()).hasSize(8);
        assertThat(processors.coreCount()).isEqualTo(4);
        assertThat(processors.isThreaded()).isTrue();
        assertThat(processors.socketCount()).isEqualTo(2);
        assertThat(processors.siblings().get(1)).containsExactly(1, 5);
        assertThat(processors.nodesText()).isEqualTo("0: 0-1,4-5; 1: 2-3,6-7");
        assertThat(processors.isolated()).containsExactly(2, 3);
        assertThat(processors.tickless()).isEmpty();
        assertThat(processors.governors()).containsExactly("powersave");
    }

    @Test
    void shouldTakeAProcessorThatNamesNoSiblingsForACore()
    {
        final Processors processors =
            Processors.of(new RecordedHost(root).put("sys/devices/system/cpu/online", "0-1").files());
        assertThat(processors.coreCount()).isEqualTo(2);
        assertThat(processors.isThreaded()).isFalse();
    }

    @Test
    void shouldDistinguishHardwareCardsFromThoseOfContainers()
    {
        assertThat(NetworkCard.all(RecordedHost.server(root).files())).containsExactly(
            new NetworkCard("eth0", Optional.of("ena 2.8.9g"), Optional.of(50_000L), 9001, Optional.of(1)));
    }

    @Test
    void shouldReportInterfacesWithoutHardwareIfThereAreNoOthers()
    {
        final RecordedHost host = new RecordedHost(root)
            .put("sys/class/net/eth0/operstate", "up").put("sys/class/net/eth0/mtu", "1500")
            .put("sys/class/net/eth0/speed", "-1");
        assertThat(NetworkCard.all(host.files())).extracting(NetworkCard::text)
            .containsExactly("eth0 (no hardware, speed unknown, MTU 1500, NUMA node unknown)");
    }

    @Test
    void shouldFindTheFileSystemThatHidesTheOthers()
    {
        final HostFiles files = RecordedHost.server(root)
            .put("proc/self/mounts", "/dev/vda / ext4 rw 0 0\n/dev/vdb /data xfs rw 0 0\n/dev/vdc /data ext4 rw,noatime 0 0")
            .files();
        assertThat(Mount.of(files, Path.of("/data/cluster"))).map(Mount::device).contains("/dev/vdc");
        assertThat(Mount.of(files, Path.of("/database"))).map(Mount::device).contains("/dev/vda");
    }

    @Test
    void shouldReadBlanksInMountPoints()
    {
        assertThat(Mount.of(RecordedHost.server(root).files(), Path.of("/mnt/with blank/cluster"))).contains(
            new Mount("/dev/nvme1n1", "/mnt/with blank", "xfs", List.of("rw", "noatime")));
    }

    @Test
    void shouldTakeTheLowestLimitOfAUnifiedGroupAndThoseAroundIt()
    {
        assertThat(ContainerLimits.of(RecordedHost.server(root).files())).isEqualTo(
            new ContainerLimits(Optional.of("0-7"), Optional.of(4.0), Optional.of(8L << 30)));
    }

    @Test
    void shouldReadTheLimitsOfSplitGroups()
    {
        final HostFiles files = new RecordedHost(root)
            .put("proc/self/cgroup", "4:memory:/box\n3:cpu,cpuacct:/box")
            .put("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "150000").put("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000")
            .put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
            .put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1073741824").files();
        assertThat(ContainerLimits.of(files)).isEqualTo(
            new ContainerLimits(Optional.empty(), Optional.of(1.5), Optional.of(1L << 30)));
    }

    @Test
    void shouldSeeNoLimitsWhereThereAreNone()
    {
        final HostFiles files = new RecordedHost(root)
            .put("proc/self/cgroup", "4:memory:/\n3:cpu:/\n0::/")
            .put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1").put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
            .put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712").files();
        assertThat(ContainerLimits.of(files)).isEqualTo(
            new ContainerLimits(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void shouldReadNothingWhereThereIsNoFile()
    {
        assertThat(new HostFiles(root).lines("proc/none")).isEmpty();
        assertThat(new RecordedHost(root).put("proc/dir/file", "").files().text("proc/dir")).isEmpty();
    }
}
