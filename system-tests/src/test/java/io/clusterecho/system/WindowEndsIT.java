package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Warm-up and measured window that end by themselves, against real members. */
@Tag("slow")
class WindowEndsIT
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long RATE = 1_000;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path dir;

    @Test
    void shouldEndWarmUpAndWindowByTheirRulesOrBounds()
    {
        cluster.start();
        cluster.awaitLeader();
        final CommandResult run = cluster.loadClient(
            "run", "--rate=" + RATE, "--warm-up=auto:45s", "--until=p50+-50%", "--duration=40s", "--interval=500ms", "--json",
            "--connect-timeout=60s", "--output=" + dir);
        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        final JsonNode result = run.json();

        final JsonNode warmUp = result.get("warmUp");
        assertThat(warmUp.get("endedBy").asText()).as("%s", warmUp).isIn("steady", "bound");
        assertThat(warmUp.get("lengthNs").asLong()).isBetween(10 * SECOND_NS, 45 * SECOND_NS);
        assertThat("steady".equals(warmUp.get("endedBy").asText())).as("%s", warmUp)
            .isEqualTo(warmUp.get("lengthNs").asLong() < 45 * SECOND_NS).isEqualTo(!warmUp.has("unsteady"));

        final JsonNode until = result.get("until");
        assertThat(until.get("endedBy").asText()).as("%s", until).isIn("precise", "bound");
        assertThat(until.get("lengthNs").asLong()).isBetween(14 * SECOND_NS, 40 * SECOND_NS);
        assertThat(until.get("lookCount").asInt()).isPositive();

        assertThat(result.get("scheduled").asLong()).isEqualTo(until.get("lengthNs").asLong() * RATE / SECOND_NS);
        assertThat(
            result.get("answered").asLong() + result.get("late").asLong() + result.get("unanswered").asLong() +
            result.get("neverSent").asLong()).isEqualTo(result.get("scheduled").asLong());
        assertThat(result.at("/responseTimeNs/count").asLong()).isEqualTo(result.get("scheduled").asLong());
        assertThat(result.at("/verdict/partial").asBoolean()).isFalse();
        cluster.stop();
        cluster.assertNothingIsLeft();
    }
}
