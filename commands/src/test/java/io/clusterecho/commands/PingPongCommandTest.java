package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.testing.GoldenFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PingPongCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @Test
    void shouldSayOfAGoodLoopThatItIsGood() throws IOException
    {
        final String arguments = "--count 100 --warm-up-count 10";
        assertThat(execute(arguments)).as(streams.err()).isZero();
        assertThat(streams.out()).startsWith("GOOD  run\n").doesNotContain("!");

        streams.clear();
        assertThat(execute(arguments + " --json")).isZero();
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("good").asBoolean()).isTrue();
        assertThat(result.get("failure").isNull()).isTrue();
        assertThat(result.at("/verdict/label").asText()).isEqualTo("GOOD");
        assertThat(result.get("count").asLong()).isEqualTo(100);
        final Path made = Path.of(result.get("resultFolder").asText());
        assertThat(made.resolve("ping-pong.json")).hasContent(streams.out());
        checkDocument("ping-pong.json");
        assertThat(made.resolve("round-trip.hgrm")).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource({
        "--warm-up 2s, --warm-up=2, auto or auto:TIME in a closed loop",
        "--warm-up auto --warm-up-count 7, --warm-up-count=7, not given with --warm-up auto",
        "--warm-up auto:10s, --warm-up=auto, a bound above 10.0 s" })
    void shouldRefuseAWarmUpThatALoopCannotHave(final String arguments, final String option, final String allowed)
    {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(streams.err()).contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldWarmUpUntilThePaceIsSteady() throws IOException
    {
        assertThat(execute("--count 100 --warm-up auto:11s --memory-delay 1ms --json")).as(streams.err()).isZero();
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.at("/warmUp/boundNs").asLong()).isEqualTo(11_000_000_000L);
        assertThat(result.at("/warmUp/lengthNs").asLong()).isGreaterThanOrEqualTo(10_000_000_000L);
        assertThat(result.at("/warmUp/endedBy").asText()).isIn("steady", "bound");
        assertThat(result.get("count").asLong()).isEqualTo(100);
    }

    @Test
    void shouldSayOfALoopWithoutRepliesThatItFailed() throws IOException
    {
        final String arguments = "--count 100 --warm-up-count 1 --memory-delay 1h --time-limit 1ms";
        // It awaits the message in flight for 10 s.
        final String reason = "no reply for 1[0-9][.][0-9] s, with 1 messages in flight";
        assertThat(execute(arguments + " --json")).as(streams.err()).isEqualTo(4);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("good").asBoolean()).isFalse();
        assertThat(result.get("failure").asText()).matches(reason);
        assertThat(result.at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(result.at("/verdict/reasons/0").asText()).matches(reason);
        checkDocument("ping-pong-failed.json");
    }

    /** All but what differs from one loop, or from one machine, to the next. */
    private void checkDocument(final String name) throws IOException
    {
        GoldenFile.checkDocument(getClass(), name, streams.out().replace(folder.toString(), "results")
            .replaceAll("\" : -?[0-9.E]+", "\" : 0").replaceAll("no reply for [0-9.]+ s", "no reply for 10 s")
            .replaceAll("\"start\" : \"[^\"]+\"", "\"start\" : \"then\"")
            .replaceAll("results/[0-9-]+run(-[0-9]+)?", "results/run")
            .replaceAll("(?ms)\"configuration\" : \\{.*?\"threads\" : \"[^\"]*\"\\R  }", "\"configuration\" : \"of it\""));
    }

    private int execute(final String arguments)
    {
        return LoadClient.execute(
            ("ping-pong --transport memory --output " + folder + " " + arguments).split(" "));
    }
}
