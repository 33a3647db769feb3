package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps of a service that is not ours, as that over the file sync level of {@link OrderBookIT}. */
@Tag("slow")
@Tag("any-driver")
class OwnServiceSweepIT
{
    /** Only provides ports and folder; the sweeps start their own clusters. */
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path results;

    @Test
    void shouldAccountForEachRequestWithAnyProfile() throws IOException
    {
        // A member has up to 8 threads that spin.
        final JsonNode sweep = sweep("profile=stock,shared,dedicated", "members=1", "rate=100", "duration=2s");
        assertThat(sweep.get("cells")).extracting((cell) -> cell.at("/values/profile").asText())
            .containsExactly("stock", "shared", "dedicated");
        assertThat(sweep.get("runs")).hasSize(3).allSatisfy((run) ->
        {
            assertThat(run.get("scheduled").asLong()).as("%s", run).isEqualTo(200);
            assertThat(run.get("answered").asLong() + run.get("late").asLong()).as("%s", run).isEqualTo(200);
        });
    }

    @Test
    void shouldCountAuditAndReportAFollowerThatComesBack() throws IOException
    {
        final JsonNode sweep = sweep("fault=kill", "away=1s", "rate=200", "duration=2s");
        final JsonNode run = sweep.at("/runs/0");
        assertThat(run.at("/memberReturn/caughtUpNs").asLong()).as("%s", run).isPositive();
        final Path folder = Path.of(sweep.get("resultFolder").asText()).resolve(run.get("folder").asText());
        final JsonNode audit = new ObjectMapper().readTree(folder.resolve("audit.json").toFile());
        assertThat(audit.get("clean").asBoolean()).as("%s", audit).isTrue();
        assertThat(audit.at("/log/ownService").asBoolean()).isTrue();
        assertThat(audit.at("/journal/acknowledged").asLong()).isPositive();
        assertThat(folder.resolve("counters.csv")).content().contains(",member-0,", ",member-1,", ",member-2,");
        assertThat(folder.resolve("report.html")).isNotEmptyFile();
    }

    private JsonNode sweep(final String... lines) throws IOException
    {
        final Path file = Files.writeString(results.resolve("own.properties"), String.join(
            "\n", String.join("\n", lines), "repeats=1", "warm-up=1s", "cluster-warm-up=0s",
            "echo.service.class=" + OwnService.CLASS, "echo.class.path=" + OwnService.JAR,
            "echo.base.port=" + cluster.basePort()));
        return OwnService.measure(cluster, results, "matrix", file.toString());
    }
}
