package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchmarksKeysTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @Test
    void shouldRunTheLoadOfAFileOfTheLoadRig() throws IOException
    {
        final Path file = write("""
            io.aeron.benchmarks.message.rate=2K
            io.aeron.benchmarks.warmup.message.rate=2K
            io.aeron.benchmarks.message.length=64
            io.aeron.benchmarks.batch.size=5
            io.aeron.benchmarks.iterations=1
            io.aeron.benchmarks.warmup.iterations=0
            io.aeron.benchmarks.histogram.logging.interval.ms=500
            io.aeron.benchmarks.idle.strategy=
            io.aeron.benchmarks.output.directory=%s
            io.aeron.benchmarks.output.file=echo
            transport=memory
            """.formatted(folder.resolve("results")));
        RootCommand.execute(new String[]{ "--config", file.toString(), "--json", "-q" });

        final JsonNode manifest = new ObjectMapper().readTree(streams.out());
        assertThat(manifest.get("label").asText()).isEqualTo("echo");
        assertThat(manifest.get("scheduled").asLong()).isEqualTo(2_000);
        final JsonNode configuration = manifest.get("configuration");
        assertThat(configuration.get("rate").asText()).isEqualTo("2000");
        assertThat(configuration.get("size").asText()).isEqualTo("64");
        assertThat(configuration.get("batch").asText()).isEqualTo("5");
        assertThat(configuration.get("duration").asText()).isEqualTo("1000000000ns");
        assertThat(configuration.get("warm-up").asText()).isEqualTo("0ns");
        assertThat(configuration.get("interval").asText()).isEqualTo("500000000ns");
        assertThat(manifest.get("resultFolder").asText()).startsWith(folder.resolve("results").toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "idle.strategy=org.agrona.concurrent.NoOpIdleStrategy | no option has the same meaning",
        "receive.deadline.seconds=3     | no option has the same meaning",
        "aeron.destination.channel=x    | no option has the same meaning",
        "warmup.message.rate=10K        | only the value of io.aeron.benchmarks.message.rate is",
        "message.rate=25k               | with an optional K or M",
        "message.rate=1.5M              | with an optional K or M",
        "message.length=288B            | a whole number",
        "iterations=10s                 | iterations, which are seconds",
        "batch.size=-1                  | a whole number",
        "histogram.logging.interval.ms=1s | a whole number of milliseconds" })
    void shouldRefuseWhatMeansSomethingElse(final String setting, final String allowed) throws IOException
    {
        final Path file = write("io.aeron.benchmarks." + setting + "\n");
        assertThat(RootCommand.execute(new String[]{ "--config", file.toString() })).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: io.aeron.benchmarks." + setting + " in " + file + " is not allowed: ")
            .contains(allowed);
    }

    @Test
    void shouldRefuseTwoValuesOfAnOptionAndAnOptionThatTheCommandLacks() throws IOException
    {
        final Path twice = write("io.aeron.benchmarks.message.rate=2K\nrate=3k\n");
        assertThat(RootCommand.execute(new String[]{ "--config", twice.toString() })).isEqualTo(2);
        assertThat(streams.err()).contains("rate=2K").contains("the file also has rate=3k");

        streams.clear();
        final Path file = write("io.aeron.benchmarks.iterations=2\n");
        assertThat(RootCommand.execute(new String[]{ "ping-pong", "--config", file.toString() })).isEqualTo(2);
        assertThat(streams.err()).contains("duration=2s").contains("load-client ping-pong has no option --duration");
    }

    @Test
    void shouldLetTheCommandLineWin() throws IOException
    {
        final Path file = write("io.aeron.benchmarks.message.length=64\n");
        assertThat(RootCommand.execute(new String[]{ "--config", file.toString(), "--size", "31" })).isEqualTo(2);
        assertThat(streams.err()).contains("--size", "'31'");
    }

    private Path write(final String content) throws IOException
    {
        return Files.writeString(folder.resolve("benchmark.properties"), content);
    }
}
