package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
        assertThat(ProcessUse.of(dir)).isEqualTo(new ProcessUse(2_000, 500, 12));
    }

    @Test
    void shouldSayThatThereIsNoSuchProcess()
    {
        assertThat(ProcessUse.of(dir)).isEqualTo(new ProcessUse(-1, -1, -1));
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
