package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.host.HostFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineColumnTest
{
    @TempDir
    private Path root;

    @Test
    void shouldReadTheCoresAndTheirPressure() throws IOException
    {
        write("proc/stat", "cpu  100 20 30 4000 50 6 7 80 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\ncpu1 1 1 1 1 1 1 1 1 1 1\nintr 7\n");
        write("proc/pressure/cpu", "some avg10=1.00 avg60=0.50 avg300=0.10 total=123456\n");
        write("proc/pressure/io", "some avg10=0 avg60=0 avg300=0 total=2000\nfull avg10=0 avg60=0 avg300=0 total=1\n");
        write("proc/meminfo", "MemTotal: 8 kB\nDirty:              5120 kB\nWriteback:            64 kB\nWritebackTmp: 9 kB\n");
        assertThat(sample()).containsExactly(1_200, 430, 40_000, 500, 800, -1, -1, 123, 2, -1, 5_120, 64, 21_465);
    }

    @Test
    void shouldFindTheThrottlingOfAUnifiedGroupAndOfThoseAroundIt() throws IOException
    {
        write("proc/self/cgroup", "0::/slice/box\n");
        write("sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
        write("sys/fs/cgroup/slice/cpu.stat", "nr_periods 10\nnr_throttled 7\nthrottled_usec 5000\n");
        write("sys/fs/cgroup/slice/box/cpu.stat", "nr_periods 10\nnr_throttled 2\nthrottled_usec 900000\n");
        final long[] use = sample();
        assertThat(use[MachineColumn.THROTTLED.ordinal()]).isEqualTo(7);
        assertThat(use[MachineColumn.THROTTLED_MS.ordinal()]).isEqualTo(900);
    }

    @Test
    void shouldFindTheThrottlingOfASplitGroup() throws IOException
    {
        write("proc/self/cgroup", "5:memory:/other\n3:cpu,cpuacct:/box\n0::/\n");
        write("sys/fs/cgroup/cpu/box/cpu.stat", "nr_periods 10\nnr_throttled 3\nthrottled_time 41000000\n");
        final long[] use = sample();
        assertThat(use[MachineColumn.THROTTLED.ordinal()]).isEqualTo(3);
        assertThat(use[MachineColumn.THROTTLED_MS.ordinal()]).isEqualTo(41);
    }

    @Test
    void shouldReportWhatItCannotRead()
    {
        assertThat(sample()).hasSize(13).containsOnly(-1);
    }

    @Test
    void shouldReadThisMachine()
    {
        final long[] use = MachineColumn.sample(HostFiles.ofThisMachine());
        assertThat(use[MachineColumn.USER_MS.ordinal()]).isPositive();
        assertThat(use[MachineColumn.IDLE_MS.ordinal()]).isNotNegative();
    }

    private long[] sample()
    {
        return MachineColumn.sample(new HostFiles(root));
    }

    private void write(final String name, final String content) throws IOException
    {
        final Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
