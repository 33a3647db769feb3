package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProcessRecordTest
{
    private static final long OWN_PID = ProcessHandle.current().pid();

    @TempDir
    private Path dir;

    @Test
    void shouldFindTheProcessThatWasWritten() throws IOException
    {
        final Path file = dir.resolve("process.properties");
        ProcessRecord.of(OWN_PID).orElseThrow().write(file);

        final ProcessRecord read = ProcessRecord.read(file).orElseThrow();
        assertThat(read.isAlive()).isTrue();
        assertThat(read.handle()).contains(ProcessHandle.current());
    }

    @Test
    void shouldNotMistakeALaterProcessOfTheSamePid()
    {
        final ProcessRecord earlier = new ProcessRecord(OWN_PID, ProcessRecord.of(OWN_PID).orElseThrow().start() + "0");
        assertThat(earlier.isAlive()).isFalse();
        assertThat(earlier.handle()).isEmpty();
    }

    @Test
    void shouldFailToSignalWhatTheSystemRefusesUnlessTheProcessHasEnded() throws Exception
    {
        assertThatThrownBy(() -> ProcessRecord.signal("NOSUCH", OWN_PID)).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("cannot send SIGNOSUCH to process " + OWN_PID);
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        ProcessRecord.signal("CONT", process.pid());
    }

    @Test
    void shouldNotTakeAnEndedProcessForOneWithoutStart() throws Exception
    {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThat(ProcessRecord.of(process.pid())).isEmpty();
        assertThat(new ProcessRecord(process.pid(), "").isAlive()).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTakeAProcessThatNobodyWaitedForAsEnded() throws IOException
    {
        // The shell becomes sleep, which does not wait for the child that the shell had.
        final Process parent = new ProcessBuilder("sh", "-c", "(read line) & exec sleep 60").start();
        try
        {
            final Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(20));
            assertThat(deadline.await(() -> parent.children().findFirst().isPresent() &&
                parent.info().command().orElse("").endsWith("sleep"))).isTrue();
            final ProcessHandle child = parent.children().findFirst().orElseThrow();
            final ProcessRecord record = new ProcessRecord(
                child.pid(), ProcessRecord.of(child.pid()).map(ProcessRecord::start).orElse("ended already"));

            child.destroyForcibly();

            assertThat(deadline.await(() -> !record.isAlive())).isTrue();
            assertThat(Files.exists(Path.of("/proc/" + child.pid()))).isTrue();
        }
        finally
        {
            parent.destroyForcibly();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTakeAProcessAsRunningUntilItsLastThreadHasEnded() throws Exception
    {
        final Path source = Files.writeString(
            dir.resolve("threads.c"),
            """
            #include <pthread.h>
            #include <unistd.h>
            static void *wait_for_end_of_input(void *unused) { char c; read(0, &c, 1); _exit(0); }
            int main(void)
            {
                pthread_t thread;
                pthread_create(&thread, NULL, wait_for_end_of_input, NULL);
                pthread_exit(NULL);
            }
            """);
        final Path program = dir.resolve("threads");
        final Process compiler = new ProcessBuilder(
            Need.CC.program().toString(), "-w", "-pthread", "-o", program.toString(), source.toString()).inheritIO().start();
        assertThat(compiler.waitFor()).isZero();
        final Process process = new ProcessBuilder(program.toString()).start();
        try
        {
            final Path stat = Path.of("/proc/" + process.pid() + "/stat");
            final Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(20));
            assertThat(deadline.await(() -> contains(stat, ") Z "))).as("its first thread has ended").isTrue();
            final ProcessRecord record = ProcessRecord.of(process.pid()).orElseThrow();
            assertThat(record.isAlive()).isTrue();

            process.getOutputStream().close();

            assertThat(deadline.await(() -> !record.isAlive())).isTrue();
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldPauseWhatTheProcessStartedWithIt() throws IOException
    {
        final Process parent = new ProcessBuilder("sh", "-c", "sleep 60 & wait").start();
        try
        {
            final Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(20));
            assertThat(deadline.await(() -> parent.children().findFirst().isPresent())).isTrue();
            final long childPid = parent.children().findFirst().orElseThrow().pid();
            final ProcessRecord record = ProcessRecord.of(parent.pid()).orElseThrow();

            record.pause();
            assertThat(isStopped(parent.pid())).isTrue();
            assertThat(isStopped(childPid)).isTrue();

            record.resume();
            assertThat(deadline.await(() -> !isStopped(parent.pid()) && !isStopped(childPid))).isTrue();
        }
        finally
        {
            parent.descendants().forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly();
        }
    }

    @Test
    void shouldFindNothingInAFileThatIsNotOne() throws IOException
    {
        final Path file = dir.resolve("process.properties");
        assertThat(ProcessRecord.read(file)).isEmpty();

        Files.writeString(file, "pid=none\n");
        assertThat(ProcessRecord.read(file)).isEmpty();
    }

    private static boolean isStopped(final long pid)
    {
        return contains(Path.of("/proc/" + pid + "/stat"), ") T ");
    }

    private static boolean contains(final Path file, final String text)
    {
        try
        {
            return Files.readString(file).contains(text);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
