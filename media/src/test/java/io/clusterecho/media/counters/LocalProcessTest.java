package io.clusterecho.media.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.clusterecho.host.HostFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalProcessTest
{
    private static final Path OWN = Path.of("/proc", String.valueOf(ProcessHandle.current().pid()));
    private static final long MISSING = DriverSample.MISSING;

    @TempDir
    private Path dir;

    @Test
    void shouldReadAProcessWhateverItsName() throws IOException
    {
        Files.writeString(
            dir.resolve("stat"), "77 (a) b) S 1 77 77 0 -1 4194304 500 0 12 0 150 50 1 2 20 0 3 0 900 1 1 1\n");
        for (final String thread : new String[]{ "77", "78" })
        {
            Files.createDirectories(dir.resolve("task").resolve(thread));
            Files.writeString(dir.resolve("task").resolve(thread).resolve("schedstat"), "1000 250 7\n");
        }
        Files.createDirectories(dir.resolve("task/79"));
        Files.writeString(
            dir.resolve("status"), "Name:\ta) b\nVmRSS:\t  600 kB\nRssAnon:\t  300 kB\nRssFile:\t 200 kB\nRssShmem:\t 100 kB\n");
        for (final String file : new String[]{ "0", "1", "2" })
        {
            Files.createDirectories(dir.resolve("fd").resolve(file));
        }
        assertThat(use(dir)).containsExactly(2_000, 500, 12, 300, 300, 3);
    }

    @Test
    void shouldSayWhatIsNotTold() throws IOException
    {
        Files.writeString(dir.resolve("stat"), "77 (a) S 1 77 77 0 -1 4194304 500 0 12 0 150 50 1 2 20 0 3 0 900 1 1 1\n");
        Files.writeString(dir.resolve("status"), "Name:\ta\n");
        assertThat(use(dir)).containsExactly(2_000, MISSING, 12, MISSING, MISSING, MISSING);
    }

    @Test
    void shouldSeeWhatThisProcessHolds() throws IOException
    {
        final long[] before = use(OWN);
        final List<InputStream> files = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            files.add(Files.newInputStream(Path.of("/proc/self/stat")));
        }
        final long[] now = use(OWN);
        for (final InputStream file : files)
        {
            file.close();
        }
        assertThat(now[5]).isGreaterThanOrEqualTo(before[5] + 40);
        // Every JVM has more, and no JVM of a test has this much.
        assertThat(now[3]).isBetween(10_000L, 8_000_000L);
        assertThat(now[4]).isBetween(1_000L, 8_000_000L);
    }

    @Test
    void shouldSeeTheDiskOfAFolder() throws IOException
    {
        final long[] values = DriverSample.newValues();
        LocalProcess.takeDisk(dir.resolve("none"), values);
        assertThat(values).containsOnly(MISSING);

        LocalProcess.takeDisk(dir, values);
        final long[] ofFile = DriverSample.newValues();
        LocalProcess.takeDisk(Files.createFile(dir.resolve("file")), ofFile);
        final long[] ofOther = DriverSample.newValues();
        LocalProcess.takeDisk(Path.of("/proc"), ofOther);
        assertThat(values[CounterColumn.DISK.ordinal()]).isNotNegative().isEqualTo(ofFile[CounterColumn.DISK.ordinal()])
            .isNotEqualTo(ofOther[CounterColumn.DISK.ordinal()]);
        // Others write meanwhile.
        assertThat((double)values[CounterColumn.DISK_FREE_MIB.ordinal()]).isPositive()
            .isCloseTo(Files.getFileStore(dir).getUsableSpace(), withinPercentage(10));
        assertThat(ofOther[CounterColumn.DISK_FREE_MIB.ordinal()]).isZero();
    }

    @Test
    void shouldReportThatThereIsNoSuchProcess()
    {
        assertThat(use(dir)).hasSize(6).containsOnly(MISSING);
    }

    @Test
    void shouldSeeThisProcessWork()
    {
        final long before = use(OWN)[0];
        final long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (use(OWN)[0] < before + 20 && System.nanoTime() < deadlineNs)
        {
            Thread.onSpinWait();
        }
        assertThat(use(OWN)[0]).isGreaterThanOrEqualTo(before + 20);
    }

    /** The columns of a process from the system. */
    private static long[] use(final Path folder)
    {
        final long[] values = DriverSample.newValues();
        LocalProcess.takeUse(new HostFiles(folder), values);
        return Arrays.copyOf(values, CounterColumn.COLLECTIONS.ordinal());
    }
}
