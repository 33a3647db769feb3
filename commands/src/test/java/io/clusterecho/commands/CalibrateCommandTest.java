package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.load.Idle;

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
        "--only machine --size 31       | --size=31     | 32 to 65507",
        "--only machine --size 65508    | --size=65508  | 32 to 65507",
        "--only machine --rates 1k      | --rates=1k    | not given with --only machine",
        "--only client --dir .          | --dir=.       | not given with --only client",
        "--only both                    | --only        | client",
        "--rate 1M --duration 1h --rates 1k | --duration=1h | at most 200s",
        "--rate 9               | --rate=9          | at least 10",
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
        final int status = execute(
            "--only client --duration 2s --rates 300,1k --size 64 --delay 2ms --idle yield --json --quiet");
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
        final Path made = Path.of(result.get("resultFolder").asText());
        assertThat(made).isDirectoryContaining("glob:**/response-time-1000-stall.hgrm");
        assertThat(Files.readString(made.resolve("calibration.txt"))).contains("2.00 ms, stall of", "error, %");

        final int runStatus = LoadClient.execute(
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
            assertThat(note.get("missing").asText()).contains("none in ").contains("that is GOOD");
            assertThat(line).contains("none in ").contains("that is GOOD");
        }
        assertThat(streams.out()).doesNotContain("calibrated ");
    }

    @Test
    void shouldMeasureEveryPartAndAccountForEveryDatagram() throws IOException
    {
        final int status = execute(
            "--only machine --duration 2s --rate 1k --size 64 --idle sleep --json --quiet --dir " + folder);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        // 4 where a busy machine missed the rate; what is proven here must hold all the same.
        assertThat(status).as("%s %s", result.get("verdict"), streams.err()).isIn(0, 4);
        assertThat(result.get("format").asText()).isEqualTo("cluster-echo-baseline/1");
        assertThat(result.at("/udp/0/idle").asText()).isEqualTo("busyspin");
        assertThat(result.at("/udp/1/idle").asText()).isEqualTo(Idle.sleep.strategyName());
        for (final JsonNode udp : result.get("udp"))
        {
            assertThat(udp.get("scheduled").asLong()).isEqualTo(450);
            assertThat(Stream.of("answered", "late", "unanswered", "neverSent").mapToLong((name) -> udp.get(name).asLong()).sum())
                .isEqualTo(450);
            assertThat(udp.get("corrupt").asLong()).isZero();
            assertThat(udp.get("quietServiceTimeNs").asLong()).isPositive()
                .isLessThanOrEqualTo(udp.at("/responseTimeNs/max").asLong());
        }
        assertThat(result.at("/sync/dataNs/count").asLong()).isPositive();

        final Path made = Path.of(result.get("resultFolder").asText());
        assertThat(made).isDirectoryContaining("glob:**/baseline.txt").isDirectoryContaining("glob:**/report.html")
            .isDirectoryContaining("glob:**/udp-busyspin-service-time.hgrm").isDirectoryContaining("glob:**/sync-data.hgrm");
        assertThat(Files.readString(made.resolve("baseline.txt"))).contains("floor of a replicated round trip, busyspin: ");
        assertThat(streams.err()).isEmpty();
    }

    @Test
    void shouldNotMeasureSpinningTwice() throws IOException
    {
        execute("--only machine --duration 1s --rate 1k --idle spin --json --quiet");
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("udp")).hasSize(1);
    }

    @Test
    void shouldStoreBothPartsInOneFolderAndPrintThemInOneDocument() throws IOException
    {
        final int status = execute("--duration 1s --rates 1k --rate 1k --size 64 --idle spin --json --quiet --dir " + folder);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(status).as("%s %s", result.get("verdict"), streams.err()).isIn(0, 4);
        assertThat(result.at("/verdict/good").asBoolean()).isEqualTo(0 == status)
            .isEqualTo(result.at("/client/verdict/good").asBoolean() && result.at("/machine/verdict/good").asBoolean());
        assertThat(result.at("/client/echoes")).hasSize(2);
        assertThat(result.at("/machine/udp")).hasSize(1);
        final Path made = Path.of(result.at("/client/resultFolder").asText());
        assertThat(result.at("/machine/resultFolder").asText()).isEqualTo(made.toString());
        assertThat(made).isDirectoryContaining("glob:**/calibration.json").isDirectoryContaining("glob:**/baseline.json")
            .isDirectoryContaining("glob:**/report.html");
        // The machine's part names the calibration beside it, or says that none is GOOD.
        assertThat(result.at("/machine/calibration").toString())
            .contains(result.at("/client/verdict/good").asBoolean() ? made.toString() : "none in " + folder);
    }

    private int execute(final String arguments)
    {
        return LoadClient.execute(("calibrate --output " + folder + " " + arguments).split(" "));
    }
}
