package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.host.HostFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessUseTest
{
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
        assertThat(ProcessUse.of(new HostFiles(dir))).isEqualTo(new ProcessUse(2_000, 500, 12, 300, 300, 3));
    }

    @Test
    void shouldSayWhatIsNotTold() throws IOException
    {
        Files.writeString(dir.resolve("stat"), "77 (a) S 1 77 77 0 -1 4194304 500 0 12 0 150 50 1 2 20 0 3 0 900 1 1 1\n");
        Files.writeString(dir.resolve("status"), "Name:\ta\n");
        assertThat(ProcessUse.of(new HostFiles(dir))).isEqualTo(new ProcessUse(2_000, -1, 12, -1, -1, -1));
    }

    @Test
    void shouldSeeWhatThisProcessHolds() throws IOException
    {
        final long pid = ProcessHandle.current().pid();
        final ProcessUse before = ProcessUse.of(pid);
        final List<InputStream> files = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            files.add(Files.newInputStream(Path.of("/proc/self/stat")));
        }
        final ProcessUse now = ProcessUse.of(pid);
        for (final InputStream file : files)
        {
            file.close();
        }
        assertThat(now.openFiles()).isGreaterThanOrEqualTo(before.openFiles() + 40);
        // Every JVM has more, and no JVM of a test has this much.
        assertThat(now.memoryKib()).isBetween(10_000L, 8_000_000L);
        assertThat(now.sharedKib()).isBetween(1_000L, 8_000_000L);
    }

    @Test
    void shouldReportThatThereIsNoSuchProcess()
    {
        assertThat(ProcessUse.of(new HostFiles(dir))).isEqualTo(new ProcessUse(-1, -1, -1, -1, -1, -1));
    }

    @Test
    void shouldSeeThisProcessWork()
    {
        final long before = ProcessUse.of(ProcessHandle.current().pid()).cpuMs();
        final long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (ProcessUse.of(ProcessHandle.current().pid()).cpuMs() < before + 20 && System.nanoTime() < deadlineNs)
        {
            Thread.onSpinWait();
        }
        assertThat(ProcessUse.of(ProcessHandle.current().pid()).cpuMs()).isGreaterThanOrEqualTo(before + 20);
    }
}
