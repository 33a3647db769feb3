package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.control.cluster.RecordedClusters;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-driver")
class MatrixIT
{
    private static final long COMMAND_TIMEOUT_NS = 300_000_000_000L;

    /** Only provides ports and folder; the sweep starts its own clusters. */
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path results;

    @Test
    void shouldResumeAfterAKillWithoutRepeatingARun() throws IOException
    {
        final Path file = Files.writeString(
            results.resolve("small.properties"),
            """
            members=1
            fsync=0,1
            # The second is larger than a message may be.
            size=32,100000
            rate=100
            repeats=2
            duration=300ms
            warm-up=100ms
            cluster-warm-up=0s
            echo.base.port=%d
            """.formatted(cluster.basePort()));
        final RunningCommand killed = cluster.startLoadClient("matrix", file.toString(), "--output=" + results);
        killed.awaitProgress("[3/8]");
        killed.process().handle().orElseThrow().destroyForcibly();
        assertThat(killed.await(COMMAND_TIMEOUT_NS).exitCode()).isNotZero();

        final Path folder = sweepFolder();
        final JsonNode before = sweep(folder);
        assertThat(before.get("runs").size()).isBetween(3, 7);
        final CommandResult result = cluster.loadClient("matrix", folder.toString(), "--json");

        // 4 because of the cells that cannot be measured.
        assertThat(result.exitCode()).as("%s", result).isEqualTo(4);
        final JsonNode after = result.json();
        assertThat(after).isEqualTo(sweep(folder));
        assertThat(after.get("runs")).hasSize(8);
        final List<String> done = new ArrayList<>();
        after.get("runs").forEach((run) -> done.add(run.get("cell") + "/" + run.get("repeat")));
        assertThat(done).doesNotHaveDuplicates();
        for (int i = 0; i < before.get("runs").size(); i++)
        {
            assertThat(after.at("/runs/" + i)).isEqualTo(before.at("/runs/" + i));
        }
        assertThat(after.get("cells")).hasSize(4).allSatisfy((cell) ->
        {
            final boolean isTooLong = "100000".equals(cell.at("/values/size").asText());
            assertThat(cell.get("runs").asInt()).isEqualTo(2);
            assertThat(cell.has("responseTimeNs")).isEqualTo(!isTooLong);
            if (isTooLong)
            {
                assertThat(cell.at("/verdict/reasons/0").asText()).contains("--size=100000");
            }
            else
            {
                assertThat(cell.at("/responseTimeNs/p50/median").asDouble()).isPositive();
                assertThat(cell.get("durability").asText()).startsWith("fsync " + cell.at("/values/fsync").asText() + ":");
            }
        });
        assertThat(folder.resolve("report.html")).exists();
        assertNothingIsLeft();
    }

    @Test
    void shouldFindAndConfirmARateOnARealCluster()
    {
        cluster.start();
        final CommandResult result = cluster.loadClient(
            "max-rate", "--slo", "p50<5s,corrupt==0", "--rate=100", "--lowest=10", "--highest=200", "--pass=50%",
            "--duration=500ms", "--warm-up=1s", "--later-warm-up=100ms", "--pause=0s", "--json",
            "--connect-timeout=60s", "--output=" + results);
        assertThat(result.exitCode()).as("%s", result).isZero();
        final JsonNode found = result.json();
        assertThat(found.at("/answer/status").asText()).isEqualTo("confirmed");
        assertThat(found.at("/answer/ratePerSecond").asLong()).isBetween(10L, 200L);
        assertThat(found.get("steps")).isNotEmpty().allSatisfy((step) ->
        {
            final Path folder = Path.of(found.get("resultFolder").asText()).resolve(step.get("folder").asText());
            final JsonNode manifest = new ObjectMapper().readTree(folder.resolve("manifest.json").toFile());
            assertThat(manifest.get("ratePerSecondAsked")).isEqualTo(step.get("ratePerSecondAsked"));
            assertThat(manifest.get("responseTimeNs")).isEqualTo(step.get("responseTimeNs"));
            assertThat(manifest.at("/verdict/good").asBoolean()).isEqualTo(step.get("held").asBoolean());
        });
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    /** By a request to terminate, and by a terminal that closes. */
    @ParameterizedTest
    @ValueSource(strings = { "TERM", "HUP" })
    void shouldKeepResultsWhenASearchIsInterrupted(final String signal) throws IOException
    {
        final RunningCommand search = cluster.startLoadClient(
            "max-rate", "--transport=memory", "--slo=p50<10s", "--rate=100", "--duration=300ms", "--warm-up=0s", "--pause=100ms",
            "--output=" + results, "--json");
        search.awaitProgress("  2  ");
        final long pid = search.process().handle().orElseThrow().pid();
        RunningCommand.start(List.of("kill", "-" + signal, Long.toString(pid)), results).await(COMMAND_TIMEOUT_NS);
        final CommandResult result = search.await(COMMAND_TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s", result).isEqualTo(130);
        final JsonNode found = result.json();
        assertThat(found.at("/verdict/label").asText()).isEqualTo("PARTIAL");
        assertThat(found.at("/steps").size()).isGreaterThanOrEqualTo(2);
        assertThat(Path.of(found.get("resultFolder").asText()).resolve("report.html")).exists();
    }

    /** At different steps of the start, in which the interrupted thread locks, maps and connects. */
    @ParameterizedTest
    @ValueSource(longs = { 0, 700, 1_400, 2_100 })
    void shouldNameTheWayOnWhenTheStartOfItsClusterIsInterrupted(final long delayMs) throws IOException, InterruptedException
    {
        final RunningCommand matrix = cluster.startLoadClient(
            "matrix", EchoCluster.ROOT.resolve("config/matrix/quick").toString(), "--set=echo.base.port=" + cluster.basePort(),
            "--output=" + results);
        matrix.awaitProgress("starting a cluster");
        TimeUnit.MILLISECONDS.sleep(delayMs);
        final long pid = matrix.process().handle().orElseThrow().pid();
        RunningCommand.start(List.of("kill", "-INT", Long.toString(pid)), results).await(COMMAND_TIMEOUT_NS);
        final CommandResult result = matrix.await(COMMAND_TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s", result).isEqualTo(130);
        assertThat(result.err()).contains("to resume: ", "matrix " + sweepFolder()).doesNotContain("Exception");
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft()
    {
        final Path dir = cluster.baseDir().resolve("matrix");
        assertThat(RecordedClusters.in(dir, EchoCluster.launcher())).isEmpty();
        assertThat(dir.resolve("member-0")).doesNotExist();
        assertThat(ProcessHandle.allProcesses()
            .filter((process) -> process.info().commandLine().map((line) -> line.contains(dir.toString())).orElse(false)))
            .isEmpty();
    }

    private Path sweepFolder() throws IOException
    {
        try (Stream<Path> folders = Files.list(results))
        {
            return folders.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    private static JsonNode sweep(final Path folder) throws IOException
    {
        return new ObjectMapper().readTree(folder.resolve("sweep.json").toFile());
    }
}
