package io.clusterecho.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import io.clusterecho.process.JavaCommand;
import io.clusterecho.threads.Compilers.Settling;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CompilersTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MS_NS = 1_000_000L;
    /** In /proc/PID/task/TID/stat, counted after the name. */
    private static final int POLICY_INDEX = 38;
    private static final String SCHED_IDLE = "5";

    private final Settling settling = new Settling();
    private long nowNs;
    private long cpuNs;
    private long compileNs;

    @Test
    void shouldSettleWhenLittleIsCompiledUnderLoad()
    {
        assertThat(second(0, 0)).isFalse();
        assertThat(second(900, 400)).isFalse();
        assertThat(second(900, 50)).isFalse();
        assertThat(second(900, 90)).isFalse();
        assertThat(second(900, 10)).isTrue();
    }

    @Test
    void shouldStartAgainWhenMuchIsCompiled()
    {
        second(0, 0);
        second(900, 50);
        second(900, 50);
        assertThat(second(900, 500)).isFalse();
        assertThat(second(900, 50)).isFalse();
        assertThat(second(900, 50)).isFalse();
        assertThat(second(900, 50)).isTrue();
    }

    @Test
    void shouldNotCountTimeWithoutLoad()
    {
        second(0, 0);
        for (int i = 0; i < 100; i++)
        {
            assertThat(second(100, 0)).isFalse();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLetTheCompilersOfThisProcessGiveWay() throws IOException, InterruptedException
    {
        final Path tasks = Path.of("/proc/self/task");
        final BlockingQueue<String> outcomes = new ArrayBlockingQueue<>(1);
        Compilers.demoteAfterWarmUp(outcomes::add);
        final long deadlineNs = System.nanoTime() + 120 * SECOND_NS;
        String outcome = null;
        while (null == outcome && System.nanoTime() < deadlineNs)
        {
            // Load with little to compile.
            for (int i = 0; i < 10_000_000; i++)
            {
                Thread.onSpinWait();
            }
            outcome = outcomes.poll(1, TimeUnit.MILLISECONDS);
        }

        final KernelScheduler kernel = KernelScheduler.open();
        assertThat(outcome).isEqualTo("compilers demoted below all other threads (SCHED_IDLE)");
        assertThat(CompilerTimes.ids(tasks)).isNotEmpty().allSatisfy((id) ->
        {
            final String stat = Files.readString(tasks.resolve(String.valueOf(id)).resolve("stat"));
            assertThat(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[POLICY_INDEX]).isEqualTo(SCHED_IDLE);
            // 0 before Linux 6.12.
            assertThat(kernel.sliceNs(id)).isIn(0L, 100_000L);
        });
    }

    @Test
    void shouldCompileWithTheFirstCompilerAlone(@TempDir final Path dir) throws IOException, InterruptedException
    {
        final Path temporary = Files.createDirectory(dir.resolve("with blank"));
        // Standard output is the JVM's own, which writes to it in the middle of a line of the program.
        final Path outcome = dir.resolve("outcome");
        final Process process = new ProcessBuilder(JavaCommand.ofClass(
            HotLoop.class.getName(), List.of("-Xmx32m", "-XX:+PrintCompilation", "-Djava.io.tmpdir=" + temporary), List.of()))
            .redirectError(outcome.toFile()).start();
        final List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).isZero();
        assertThat(temporary).isEmptyDirectory();

        final List<String> ofLoop = lines.stream().filter((line) -> line.contains("HotLoop::next")).toList();
        assertThat(Files.readAllLines(outcome)).contains(
            "compiled by the first compiler alone, [compiled by the first compiler alone]");
        assertThat(ofLoop).as("with level 1, the first compiler's code without counters").anyMatch(
            (line) -> line.matches(" +[0-9]+ +[0-9]+ +1 .*"));
        assertThat(ofLoop).as("with level 4, the second").noneMatch((line) -> line.matches(" +[0-9]+ +[0-9]+ +4 .*"));
    }

    @Test
    void shouldLeaveAJvmAloneThatHasNotTheTwoCompilers()
    {
        assertThat(Compilers.restrict("false", "4")).isEqualTo(
            "compilers not restricted: TieredCompilation=false, TieredStopAtLevel=4");
        assertThat(Compilers.restrict("true", "3")).startsWith("compilers not restricted: ");
        assertThat(Compilers.restrict("unknown", "unknown")).startsWith("compilers not restricted: ");
        assertThat(Compilers.restrict("true", "1")).isEqualTo("compiled by the first compiler alone");
    }

    private boolean second(final long cpuMs, final long compileMs)
    {
        nowNs += SECOND_NS;
        cpuNs += cpuMs * MS_NS;
        compileNs += compileMs * MS_NS;
        return settling.isSettled(nowNs, cpuNs, compileNs);
    }

    static final class HotLoop
    {
        private HotLoop()
        {
        }

        public static void main(final String[] args)
        {
            System.err.println(Compilers.useFirstAlone() + ", " + Compilers.outcomes());
            long value = 1;
            for (int i = 0; i < 2_000_000; i++)
            {
                value = next(value);
            }
            System.err.println(value);
        }

        static long next(final long value)
        {
            long sum = value;
            for (int i = 0; i < 20; i++)
            {
                sum = 31 * sum + (sum >>> 7);
            }
            return sum;
        }
    }
}
