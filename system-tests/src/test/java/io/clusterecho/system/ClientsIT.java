package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ClientsIT
{
    private static final long RUN_TIMEOUT_NS = 180_000_000_000L;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path results;

    @Test
    void shouldRunOneScheduleFromTwoProcesses()
    {
        cluster.start();
        final CommandResult result = cluster.startLoadClient(
            "--clients", "2", "--rate", "500", "--size", "288", "--warm-up", "1s", "--duration", "2s", "--json",
            "--connect-timeout", "60s", "--delivery", "exactly-once", "--output", results.toString()).await(RUN_TIMEOUT_NS);

        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        final JsonNode manifest = result.json();
        assertThat(manifest.get("scheduled").asLong()).isEqualTo(1_000);
        assertThat(manifest.get("answered").asLong() + manifest.get("late").asLong()).isEqualTo(1_000);
        assertThat(manifest.get("duplicates").asLong()).isZero();
        assertThat(manifest.get("corrupt").asLong()).isZero();
        assertThat(manifest.at("/responseTimeNs/count").asLong()).isEqualTo(1_000);
        assertThat(manifest.get("clients")).hasSize(2);
        for (final JsonNode client : manifest.get("clients"))
        {
            assertThat(client.get("scheduled").asLong()).isEqualTo(500);
            assertThat(client.get("lost").asText()).isEmpty();
        }
        assertThat(manifest.at("/cpuSecondsPerMillion/client").asDouble()).as("of both").isPositive();
        cluster.stop();
        cluster.assertNothingIsLeft();
    }
}
