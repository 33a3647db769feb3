package io.clusterecho.peers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.process.Launch;
import io.clusterecho.reporting.published.PublishedFigures;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Report, JSON and exit status of a suite agree. */
class SuiteVerdictTest
{
    private static final String CORRUPT = "3 corrupt replies";

    @TempDir
    private Path path;

    @Test
    void shouldBeGoodIfEachSystemHasAGoodRun() throws IOException
    {
        assertSays(List.of(run("grpc", CORRUPT), run("grpc", CellResult.GOOD)), false, "GOOD", ExitCode.GOOD);
        assertThat(path).isDirectoryContaining("glob:**/report.html").isDirectoryContaining("glob:**/runs.csv");
    }

    @Test
    void shouldFailIfASystemHasNoGoodRun() throws IOException
    {
        assertSays(
            List.of(run("aeron-udp", CellResult.GOOD), run("grpc", CORRUPT)), false, "FAILED", ExitCode.RUN_FAILED,
            "ping-pong, grpc: 0 of 1 runs are good (3 corrupt replies)");
    }

    @Test
    void shouldSayThatItsClientWasTheLimitAndCompareNothingWithPublishedFigures() throws IOException
    {
        final List<CellResult> all = List.of(
            run("aeron-udp", CellResult.ofGoodRun(null, true)), run("grpc-unary", CellResult.ofGoodRun(null, false)));
        assertSays(all, false, "GOOD", ExitCode.GOOD);
        assertThat(Files.readString(path.resolve("report.md")))
            .contains("- `aeron-udp`, CLIENT-LIMITED: in 1 of 1 runs half or more of the slowest 1% was the client's");
        assertThat(Files.readString(path.resolve("runs.csv"))).contains(",client-limited,");
        assertThat(SuiteReport.isCompared(all.subList(1, 2), all.subList(0, 1))).isFalse();
        assertThat(SuiteReport.isCompared(all.subList(1, 2), all.subList(1, 2))).isTrue();
        final JsonNode systems =
            new ObjectMapper().readTree(path.resolve("suite.json").toFile()).at("/groups/0/systems");
        assertThat(systems.get(0).get("clientLimitedRuns").asLong()).isEqualTo(1);
        assertThat(systems.get(1).has("clientLimitedRuns")).isFalse();
        assertThat(CellResult.ofGoodRun("drifts", true)).isEqualTo("not steady: drifts");
    }

    @Test
    void shouldReportTheWarningsOfItsClients() throws IOException
    {
        final List<String> warnings = WorkloadCellRunner.warnings(new ObjectMapper().readTree(
            "{\"verdict\":{\"warnings\":[\"at most 256 messages were in flight at once, not 512\"," +
            "\"CLIENT-LIMITED: 60% of the time of the slowest 1% passed in the client\"]}}"));
        assertThat(warnings).containsExactly("at most 256 messages were in flight at once, not 512");
        final CellResult good = run("grpc", CellResult.GOOD);
        final CellResult warned = new CellResult(good.cell(), 2, good.values(), good.outcome(), null, warnings);
        assertSays(List.of(good, warned), false, "GOOD", ExitCode.GOOD);
        assertThat(Files.readString(path.resolve("report.md")))
            .contains("- `grpc`, warnings: round 2: at most 256 messages were in flight at once, not 512\n");
        assertThat(new ObjectMapper().readTree(path.resolve("suite.json").toFile()).at("/groups/0/systems/0/warnings/0").asText())
            .isEqualTo("round 2: at most 256 messages were in flight at once, not 512");
        // The one-way and price commands print no verdict.
        assertThat(WorkloadCellRunner.warnings(new ObjectMapper().readTree("{}"))).isEmpty();
    }

    @Test
    void shouldSayThatAServerEnded() throws IOException
    {
        final JavaProcess server = new JavaProcess(new Launch("server", List.of("sh", "-c", "kill -9 $$")));
        assertThat(server.await(60_000_000_000L)).isTrue();
        final String end = WorkloadCellRunner.ended(List.of(server)).orElseThrow();
        assertThat(end).startsWith("a server ended: ");
        assertThat(run("grpc", end).isFinding()).isFalse();
        assertThat(WorkloadCellRunner.ended(List.of())).isEmpty();
    }

    @Test
    void shouldBePartialIfItWasInterrupted() throws IOException
    {
        assertSays(
            List.of(run("grpc", CellResult.GOOD)), true, "PARTIAL", ExitCode.INTERRUPTED, "partial: interrupted");
    }

    @Test
    void shouldPrintAReportThatCannotBeWritten() throws IOException
    {
        Files.createDirectories(path.resolve("report.md").resolve("in the way"));
        assertSays(
            List.of(run("grpc", CellResult.GOOD)), false, "FAILED", ExitCode.RUN_FAILED,
            "the result is incomplete: report.md could not be written");
        assertThat(new ObjectMapper().readTree(path.resolve("suite.json").toFile()).at("/verdict/label").asText())
            .isEqualTo("FAILED");
    }

    private void assertSays(
        final List<CellResult> all, final boolean isPartial, final String label, final int exitStatus, final String... reasons)
        throws IOException
    {
        final SuiteFacts facts = new SuiteFacts(
            "peers", Instant.parse("2026-11-21T09:13:36Z"), "a size", "java -jar peers.jar suite", isPartial, new TreeMap<>());
        final ResultDocuments documents = SuiteCommand.documents(
            ResultFolder.at(path), all,
            new CellFigures(PublishedFigures.read("--published", Path.of("../results/published/published.csv"))), facts);
        final Verdict verdict = documents.write((unwritten) -> SuiteReport.verdict(all, facts, unwritten));

        assertThat(verdict.exitStatus()).as("%s", verdict).isEqualTo(exitStatus);
        final JsonNode json = new ObjectMapper().readTree(documents.text("suite.json")).get("verdict");
        assertThat(json.get("label").asText()).isEqualTo(label);
        assertThat(json.get("good").asBoolean()).isEqualTo(ExitCode.GOOD == exitStatus);
        assertThat(json.get("partial").asBoolean()).isEqualTo(ExitCode.INTERRUPTED == exitStatus);
        final String report = documents.text("report.md");
        assertThat(report).contains("\n**" + label + "**\n");
        for (final String reason : reasons)
        {
            assertThat(json.get("reasons").toString()).contains(reason);
            assertThat(report).contains("- " + reason);
        }
    }

    private static CellResult run(final String system, final String outcome)
    {
        return new CellResult(
            new WorkloadCell(Workload.PING_PONG, "", "", system, "1g",
            List.of("ping-pong", "--concurrency", "1", "--size", "288")), 1,
            Map.of(Workload.Metric.P50, 1.0, Workload.Metric.P99, 2.0, Workload.Metric.MAX, 3.0), outcome);
    }
}
