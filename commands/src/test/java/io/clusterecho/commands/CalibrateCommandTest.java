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

class CalibrateCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--size 31              | --size=31         | 32 to 2048",
        "--size 2049            | --size=2049       | 32 to 2048",
        "--duration 10ms        | --duration=10ms   | at least 1s",
        "--rates 1k,1 --duration 10s | --rates=     | 100 to 50,000,000 messages in each echo",
        "--rates 20M --duration 10s  | --rates=20M  | 100 to 50,000,000 messages in each echo",
        "--rates 1k,x           | --rates           | not allowed",
        "--delay 0ns            | --delay=0ns       | more than 0",
        "--delay 2s --rates 20k | --delay=2s        | at most 32768 messages in flight",
        "--idle doze            | --idle            | spin" })
    void shouldNameOptionValueAndWhatIsAllowed(final String arguments, final String option, final String allowed)
    {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldCompareEachPercentileWithTheTruthAndBeNamedByALaterRun() throws IOException
    {
        final int status = execute("--duration 2s --rates 300,1k --size 64 --delay 2ms --idle yield --json --quiet");
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        // 4 where a busy machine missed the rate.
        assertThat(status).as("%s %s", result.get("verdict"), streams.err()).isIn(0, 4);
        assertThat(result.get("format").asText()).isEqualTo("cluster-echo-calibration/1");
        assertThat(result.get("echoes")).hasSize(4);
        for (final JsonNode echo : result.get("echoes"))
        {
            assertThat(echo.get("answered").asLong() + echo.get("late").asLong()).isEqualTo(echo.get("scheduled").asLong());
            assertThat(echo.get("errors")).hasSize(6).allSatisfy((error) ->
            {
                assertThat(error.get("errorNs").asLong())
                    .isEqualTo(error.get("reportedNs").asLong() - error.get("trueNs").asLong()).isNotNegative();
                assertThat(error.get("trueNs").asLong()).isGreaterThanOrEqualTo(2_000_000);
            });
        }
        assertThat(result.at("/echoes/1/stallNs").asLong()).isPositive();
        assertThat(result.at("/clock/readNs").asDouble()).isPositive();
        assertThat(result.at("/clock/stepNs").asLong()).isPositive();
        assertThat(result.get("clientCeilingPerSecond").asLong()).isPositive();
        final Path made = Path.of(result.get("resultFolder").asText());
        assertThat(made).isDirectoryContaining("glob:**/response-time-1000-stall.hgrm");
        assertThat(Files.readString(made.resolve("calibration.txt"))).contains("2.00 ms, stall of", "error, %", "clock: ");

        final int runStatus = RootCommand.execute(
            ("run --transport memory --rate 100 --duration 1s --warm-up 0s --idle yield --quiet --output " + folder).split(" "));
        assertThat(runStatus).isIn(0, 4);
        final Path run;
        try (var folders = Files.list(folder))
        {
            run = folders.filter((one) -> !one.equals(made)).findFirst().orElseThrow();
        }
        final JsonNode note = new ObjectMapper().readTree(run.resolve("manifest.json").toFile()).get("calibration");
        final String line = Files.readString(run.resolve("summary.txt")).lines()
            .filter((one) -> one.startsWith("calibrated ")).findFirst().orElseThrow();
        if (0 == status)
        {
            assertThat(note.get("folder").asText()).isEqualTo(made.toString());
            assertThat(note.get("ageS").asLong()).isBetween(0L, 600L);
            assertThat(note.at("/worstErrorsNs/p99").asLong()).isNotNegative();
            assertThat(line).contains("ago on").endsWith(made.toString());
        }
        else
        {
            assertThat(note.get("missing").asText()).contains("its verdict is not GOOD");
            assertThat(line).contains("its verdict is not GOOD");
        }
        assertThat(streams.out()).doesNotContain("calibrated ");
    }

    private int execute(final String arguments)
    {
        return RootCommand.execute(("calibrate --output " + folder + " " + arguments).split(" "));
    }
}
