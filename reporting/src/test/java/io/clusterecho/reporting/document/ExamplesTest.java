package io.clusterecho.reporting.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the programs of {@code docs/examples} on a committed result. */
@Timeout(120)
class ExamplesTest
{
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String RESULT = "results/reference-20261126-demo";

    @Test
    void shouldReadAResultFromPython() throws Exception
    {
        assertThat(output(List.of(Need.PYTHON.program().toString(), "docs/examples/percentiles.py", RESULT))).isEqualTo("""
            GOOD reference
            p50 50.8 us
            p99 1722.4 us
            p99.9 3553.3 us
            max 6672.4 us
            slowest interval: 10.000 s to 11.000 s, p99 2678.8 us
            """);
    }

    @Test
    void shouldReadAResultFromJava() throws Exception
    {
        assertThat(output(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
            "docs/examples/Percentiles.java", RESULT))).isEqualTo("""
            GOOD reference
            in intervals 20000 of 20000
            50.0% 50.8 us
            99.0% 1722.4 us
            99.9% 3553.3 us
            100.0% 6672.4 us
            """);
    }

    private static String output(final List<String> command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
