package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that works on each message adds that time to each reply, in the stage of the service, and sends a copy of the reply
 * to each receiver.
 */
@Tag("any-driver")
class ServiceTimeIT
{
    private static final long SERVICE_TIME_NS = 4_000_000;
    /** Histograms have three significant digits. */
    private static final long LEAST_NS = SERVICE_TIME_NS - SERVICE_TIME_NS / 1_000;
    private static final long COUNT = 200;
    private static final int RECEIVERS = 3;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path dir;

    @Test
    void shouldAddTheServiceTimeToEachReplyAndToEachCopyForAReceiver()
    {
        cluster.with("echo.service.time", "fixed:4ms").with("echo.stages", "true").start();
        cluster.awaitLeader();
        final CommandResult run = cluster.loadClient(
            "run", "--stages", "--receivers=" + RECEIVERS, "--rate=50", "--warm-up=500ms", "--duration=4s", "--json",
            "--connect-timeout=60s", "--output=" + dir);
        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        final JsonNode result = run.json();

        assertThat(result.get("answered").asLong()).as("%s", result).isEqualTo(COUNT);
        // The minimum, because a busy machine only adds time.
        assertThat(result.at("/serviceTimeNs/min").asLong()).isGreaterThanOrEqualTo(LEAST_NS);
        assertThat(result.at("/stages/toClientNs/min").asLong()).isGreaterThanOrEqualTo(LEAST_NS);
        for (final String stage : new String[]{ "toLeader", "log", "quorum" })
        {
            assertThat(result.at("/stages/" + stage + "Ns/min").asLong()).as(stage).isLessThan(LEAST_NS);
        }
        assertThat(result.at("/cluster/echo.service.time").asText()).isEqualTo("fixed:4ms");
        assertCopies(result.get("fanOut"));
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private static void assertCopies(final JsonNode fanOut)
    {
        assertThat(fanOut.get("receivers")).hasSize(RECEIVERS).allSatisfy((receiver) ->
        {
            assertThat(receiver.get("scheduled").asLong()).as("%s", fanOut).isEqualTo(COUNT);
            assertThat(receiver.get("received").asLong()).as("%s", fanOut).isEqualTo(COUNT);
            assertThat(receiver.get("duplicates").asLong() + receiver.get("corrupt").asLong()).as("%s", fanOut).isZero();
        });
        assertThat(fanOut.get("completed").asLong()).isEqualTo(COUNT);
        assertThat(fanOut.at("/responseTimeNs/count").asLong()).isEqualTo(RECEIVERS * COUNT);
        assertThat(fanOut.at("/lastResponseTimeNs/count").asLong()).isEqualTo(COUNT);
        assertThat(fanOut.at("/responseTimeNs/min").asLong()).isGreaterThanOrEqualTo(LEAST_NS);
        assertThat(fanOut.at("/lastResponseTimeNs/p50").asLong())
            .isGreaterThanOrEqualTo(fanOut.at("/responseTimeNs/p50").asLong());
    }
}
