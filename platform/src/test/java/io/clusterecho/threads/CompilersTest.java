package io.clusterecho.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.process.JavaCommand;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilersTest
{
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
            "compiled by the first compiler alone, compiled by the first compiler alone");
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

    static final class HotLoop
    {
        private HotLoop()
        {
        }

        public static void main(final String[] args)
        {
            System.err.println(Compilers.useFirstAlone() + ", " + Compilers.outcome());
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
