package io.clusterecho.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.clusterecho.host.HostFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CompilerTimesTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldFindTheThreadsThatCompile() throws IOException
    {
        thread("11", "java", 1);
        thread("12", "C2 CompilerThre", 20);
        thread("13", "C1 CompilerThre", 300);
        thread("14", "duty-cycle", 4_000);
        Files.createDirectories(dir.resolve("15"));
        assertThat(new CompilerTimes(new HostFiles(dir)).totalNs()).isEqualTo(320);
    }

    @Test
    void shouldCountACompilationThatIsNotFinishedAndAThreadThatEnded() throws IOException
    {
        final CompilerTimes times = new CompilerTimes(new HostFiles(dir));
        thread("12", "C2 CompilerThre", 20);
        thread("13", "C2 CompilerThre", 300);
        assertThat(times.totalNs()).isEqualTo(320);

        thread("12", "C2 CompilerThre", 14_600_000_000L);
        Files.delete(dir.resolve("13").resolve("comm"));
        Files.delete(dir.resolve("13").resolve("schedstat"));
        Files.delete(dir.resolve("13"));
        thread("16", "C2 CompilerThre", 5);

        assertThat(times.totalNs()).isEqualTo(14_600_000_305L);
    }

    @Test
    void shouldSayThatTheSystemDoesNotTell() throws IOException
    {
        thread("12", "C2 CompilerThre", 20);
        Files.delete(dir.resolve("12").resolve("schedstat"));

        assertThatThrownBy(() -> new CompilerTimes(new HostFiles(dir)).totalNs()).isInstanceOf(NoSuchFileException.class)
            .hasMessageContaining("schedstat");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellTheTimeOfTheCompilersOfThisProcess() throws IOException
    {
        assertThat(CompilerTimes.ofThisProcess().totalNs()).isPositive();
    }

    private void thread(final String id, final String name, final long onCoresNs) throws IOException
    {
        final Path folder = Files.createDirectories(dir.resolve(id));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), onCoresNs + " 7 9\n");
    }
}
