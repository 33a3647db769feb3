package io.clusterecho.client.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.attribution.SchedulerTrace;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.SampleConfig;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CausesOfRunTest
{
    private static final long DURATION_NS = 500_000_000;

    @TempDir
    private Path folder;

    /** Without tracefs, and with it because there is one trace of a process. */
    @Test
    void shouldWarnWhereNothingWasRecorded() throws IOException
    {
        try (SchedulerTrace other = SchedulerTrace.start(true))
        {
            assertThat(run().text()).contains("what held up the slowest messages is not known: it needs root and tracefs")
                .doesNotContain("causes  ", "events of the scheduler");
            assertThat(slowest()).hasSize(500).noneMatch((message) -> message.has("causes"));
            assertThat(other.cost()).isEmpty();
        }
    }

    /** The echo is in the client: its send delay has a cause, and the rest has no thread that is known. */
    @Test
    void shouldAddCausesToTheSlowestMessages() throws IOException
    {
        Need.tracefs();

        assertThat(run().text()).contains("\ncauses     ").containsPattern("events of the scheduler: [0-9,]+, all of the last ");
        assertThat(slowest()).hasSize(500).allSatisfy((message) ->
        {
            long timeNs = 0;
            for (final JsonNode cause : message.get("causes"))
            {
                timeNs += cause.get("timeNs").asLong();
                assertThat(cause.get("part").asText()).satisfiesAnyOf(
                    (part) -> assertThat(part).isEqualTo("unknownNs"),
                    (part) -> assertThat(cause.path("thread").asText()).isEqualTo("client load-agent"));
            }
            assertThat(timeNs).isEqualTo(message.get("responseTimeNs").asLong());
        });
        assertThat(slowest().toString()).contains("\"state\":\"RUNNING\"");
    }

    private StoredRun run() throws IOException
    {
        try (RunSeries series = new RunSeries(EndRequest.byHand(Thread.currentThread()), false))
        {
            return series.measure(
                SampleConfig.of("memory", folder, "--causes"), DURATION_NS, new ResultFolder(
                Files.createDirectory(folder.resolve("run")), Disk.FILE_SYSTEM), Instant.now(), false, List.of());
        }
    }

    private JsonNode slowest() throws IOException
    {
        return new ObjectMapper().readTree(folder.resolve("run").resolve(FileNames.SLOWEST).toFile()).get("slowestMessages");
    }
}
