package io.clusterecho.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Test;

class LaunchTest
{
    private static final int HANG_UP = 1;
    private static final int INTERRUPT = 2;
    private static final int STOP_BY_TERMINAL = 20;
    private static final long TIMEOUT_S = 30;

    @Test
    void shouldKeepAProcessInTheSessionAndIgnoreTheTerminal() throws Exception
    {
        final Process process = start(Launch.ignoring(List.of("sleep", "600")));
        try
        {
            awaitProgram(process.pid(), "sleep");
            assertThat(ignoredSignals(process.pid())).contains(HANG_UP, INTERRUPT, STOP_BY_TERMINAL);
            assertThat(session(process.pid())).isEqualTo(session(ProcessHandle.current().pid()));

            signal("INT", process.pid());
            signal("HUP", process.pid());
            assertThat(process.waitFor(300, TimeUnit.MILLISECONDS)).as("ended by an interrupt").isFalse();
            process.destroy();
            assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as("waited for its end after SIGTERM").isTrue();
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldKeepAJvmFromEndingOnAnInterrupt() throws Exception
    {
        final Process process = start(Launch.ignoring(JavaCommand.ofClass(
            Sleeper.class.getName(), List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"), List.of())));
        try
        {
            final BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            assertThat(said.readLine()).isEqualTo(Sleeper.READY);
            signal("INT", process.pid());
            signal("HUP", process.pid());
            assertThat(process.waitFor(300, TimeUnit.MILLISECONDS)).as("ended by an interrupt").isFalse();
            process.destroy();
            assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as("waited for its end after SIGTERM").isTrue();
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldKeepJobsOfAScriptOutOfReachAndInTheSession() throws Exception
    {
        Need.BASH.check(Files.isExecutable(Path.of("/bin/bash")), "there is no /bin/bash");
        final Process process = start(Launch.shielded("\"$@\" & echo $!; wait $!", "script", List.of("sleep", "600")));
        long job = 0;
        try
        {
            final BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            job = Long.parseLong(said.readLine());
            awaitProgram(job, "sleep");
            assertThat(processGroup(job)).isEqualTo(job);
            assertThat(session(job)).isEqualTo(session(ProcessHandle.current().pid()));
            assertThat(ignoredSignals(process.pid())).contains(HANG_UP, INTERRUPT, STOP_BY_TERMINAL);
        }
        finally
        {
            if (0 != job)
            {
                signal("KILL", job);
            }
            assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as("waited for the end of the script").isTrue();
        }
    }

    /** Reports its start, and keeps running. */
    static final class Sleeper
    {
        static final String READY = "ready";

        private Sleeper()
        {
        }

        public static void main(final String[] args) throws InterruptedException
        {
            System.out.println(READY);
            Thread.sleep(TimeUnit.MINUTES.toMillis(10));
        }
    }

    private static Process start(final List<String> command) throws IOException
    {
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** The shell becomes the program after it was started. */
    private static void awaitProgram(final long pid, final String name) throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        while (!Files.readString(Path.of("/proc/" + pid + "/comm")).strip().equals(name))
        {
            assertThat(System.nanoTime() - deadlineNs).as("waited for process " + pid + " to become " + name).isNegative();
            Thread.sleep(5);
        }
    }

    private static List<Integer> ignoredSignals(final long pid) throws IOException
    {
        final String mask = Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter((line) -> line.startsWith("SigIgn:")).findFirst().orElseThrow().split("\\s+")[1];
        final long bits = Long.parseUnsignedLong(mask, 16);
        return IntStream.rangeClosed(1, 63).filter((n) -> 0 != (bits & 1L << n - 1)).boxed().toList();
    }

    private static long processGroup(final long pid) throws IOException
    {
        return Long.parseLong(fields(pid)[2]);
    }

    private static long session(final long pid) throws IOException
    {
        return Long.parseLong(fields(pid)[3]);
    }

    /** The fields after the name, which may contain blanks. */
    private static String[] fields(final long pid) throws IOException
    {
        final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static void signal(final String name, final long pid) throws Exception
    {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).inheritIO().start().waitFor()).isZero();
    }
}
