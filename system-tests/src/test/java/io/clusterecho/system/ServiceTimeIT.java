package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that works on each message adds that time to each response, in the stage of the service.
 */
class ServiceTimeIT
{
    private static final long SERVICE_TIME_NS = 4_000_000;
    /** Histograms have three significant digits. */
    private static final long LEAST_NS = SERVICE_TIME_NS - SERVICE_TIME_NS / 1_000;
    private static final long COUNT = 200;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path dir;

    @Test
    void shouldAddTheServiceTimeToEachResponseInTheStageOfTheService()
    {
        cluster.with("echo.service.time", "fixed:4ms").with("echo.stages", "true").start();
        cluster.awaitLeader();
        final CommandResult run = cluster.loadClient(
            "run", "--stages", "--rate=50", "--warm-up=500ms", "--duration=4s", "--json", "--connect-timeout=60s",
            "--output=" + dir);
        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        final JsonNode result = run.json();

        assertThat(result.get("answered").asLong()).isEqualTo(COUNT);
        // The minimum, because a busy machine only adds time.
        assertThat(result.at("/serviceTimeNs/min").asLong()).isGreaterThanOrEqualTo(LEAST_NS);
        assertThat(result.at("/stages/toClientNs/min").asLong()).isGreaterThanOrEqualTo(LEAST_NS);
        for (final String stage : new String[]{ "toLeader", "log", "quorum" })
        {
            assertThat(result.at("/stages/" + stage + "Ns/min").asLong()).as(stage).isLessThan(LEAST_NS);
        }
        assertThat(result.at("/cluster/echo.service.time").asText()).as("%s", result).isEqualTo("fixed:4ms");
        cluster.stop();
        cluster.assertNothingIsLeft();
    }
}
