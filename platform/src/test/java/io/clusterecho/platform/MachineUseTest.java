package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineUseTest
{
    @TempDir
    private Path root;

    @Test
    void shouldReadTheCoresAndTheirPressure() throws IOException
    {
        write("proc/stat", "cpu  100 20 30 4000 50 6 7 80 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
        write("proc/pressure/cpu", "some avg10=1.00 avg60=0.50 avg300=0.10 total=123456\n");
        write("proc/pressure/io", "some avg10=0 avg60=0 avg300=0 total=2000\nfull avg10=0 avg60=0 avg300=0 total=1\n");
        write("proc/meminfo", "MemTotal: 8 kB\nDirty:              5120 kB\nWriteback:            64 kB\nWritebackTmp: 9 kB\n");
        assertThat(MachineUse.of(root)).isEqualTo(
            new MachineUse(1_200, 430, 40_000, 500, 800, -1, -1, 123, 2, -1, 5_120, 64));
    }

    @Test
    void shouldFindTheThrottlingOfAUnifiedGroupAndOfThoseAroundIt() throws IOException
    {
        write("proc/self/cgroup", "0::/slice/box\n");
        write("sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
        write("sys/fs/cgroup/slice/cpu.stat", "nr_periods 10\nnr_throttled 7\nthrottled_usec 5000\n");
        write("sys/fs/cgroup/slice/box/cpu.stat", "nr_periods 10\nnr_throttled 2\nthrottled_usec 900000\n");
        final MachineUse use = MachineUse.of(root);
        assertThat(use.throttledCount()).isEqualTo(7);
        assertThat(use.throttledMs()).isEqualTo(900);
    }

    @Test
    void shouldFindTheThrottlingOfASplitGroup() throws IOException
    {
        write("proc/self/cgroup", "5:memory:/other\n3:cpu,cpuacct:/box\n0::/\n");
        write("sys/fs/cgroup/cpu/box/cpu.stat", "nr_periods 10\nnr_throttled 3\nthrottled_time 41000000\n");
        final MachineUse use = MachineUse.of(root);
        assertThat(use.throttledCount()).isEqualTo(3);
        assertThat(use.throttledMs()).isEqualTo(41);
    }

    @Test
    void shouldReportWhatItCannotRead()
    {
        assertThat(MachineUse.of(root)).isEqualTo(new MachineUse(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    }

    @Test
    void shouldReadThisMachine()
    {
        final MachineUse use = MachineUse.now();
        assertThat(use.userMs()).isPositive();
        assertThat(use.idleMs()).isNotNegative();
    }

    private void write(final String name, final String content) throws IOException
    {
        final Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
