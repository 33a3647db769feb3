package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.FileNames;

class SnapshotIT
{
    private static final int SNAPSHOT_COUNT = 2;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections().with("echo.state.length", "8m");

    @TempDir
    private Path results;

    @Test
    void shouldMeasureWhatSnapshotsOfALargeStateCost() throws IOException
    {
        cluster.start();
        final int leaderId = cluster.awaitLeader().memberId();

        final JsonNode run = load("--duration", "5s", "--interval", "100ms", "--snapshot-every", "2s");
        final JsonNode snapshots = run.get("snapshots");
        assertThat(snapshots.get("windows")).as("%s", snapshots).hasSize(SNAPSHOT_COUNT);
        assertThat(snapshots.at("/windows/0/beginNs").asLong()).as("%s", snapshots).isGreaterThanOrEqualTo(3_000_000_000L);
        assertThat(snapshots.at("/responseTimeDuringNs/count").asLong() + snapshots.at("/responseTimeApartNs/count").asLong())
            .isEqualTo(run.at("/responseTimeNs/count").asLong());
        final List<String> roles = new ArrayList<>();
        for (final JsonNode pauses : snapshots.get("pauses"))
        {
            assertThat(pauses.get("count").asInt()).as("%s", snapshots).isEqualTo(SNAPSHOT_COUNT);
            assertThat(pauses.get("medianNs").asLong()).as("%s", snapshots).isPositive();
            roles.add(pauses.get("memberId").asInt() + " " + pauses.get("role").asText());
        }
        assertThat(roles).hasSize(3).contains(leaderId + " leader");
        final CsvTable counters = CsvTable.read(Path.of(run.get("resultFolder").asText()).resolve(FileNames.COUNTERS));
        assertThat(sum(counters, "snapshots")).isEqualTo(3 * SNAPSHOT_COUNT);
        assertThat(sum(counters, "service_snapshot_ms")).isPositive();

        cluster.stop();
        final CommandResult other = cluster.command("start", "--set", "echo.state.length=4m");
        assertThat(other.exitCode()).as("%s", other).isEqualTo(2);
        assertThat(other.err()).contains("echo.state.length=4m is not allowed: 8m, the value of the log");
        assertThat(cluster.command("start").exitCode()).isZero();
        assertThat(cluster.members()).allSatisfy((member) -> assertThat(
            member.counters().orElseThrow().service().get(ServiceCounter.LOAD_TIME)).as("time to load 8 MB").isPositive());
        load("--duration", "1s");
        assertThat(cluster.loadClient("audit", "--json").json().get("clean").asBoolean()).isTrue();
    }

    private static double sum(final CsvTable counters, final String column)
    {
        double sum = 0;
        for (int row = 0; row < counters.rowCount(); row++)
        {
            final double value = counters.number(row, column);
            sum += Double.isNaN(value) ? 0 : value;
        }
        return sum;
    }

    private JsonNode load(final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(
            "--rate", "2000", "--size", "288", "--warm-up", "1s", "--connect-timeout", "60s", "--drain-timeout", "60s",
            "--delivery", "exactly-once", "--json", "--quiet", "--output=" + results));
        all.addAll(List.of(options));
        final CommandResult run = cluster.loadClient(all.toArray(String[]::new));
        assertThat(run.json().get("unanswered").asLong()).as("%s", run).isZero();
        return run.json();
    }
}
