package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the leader with SIGKILL while receivers get copies of its replies: whatever each of them missed is counted, and nothing
 * else.
 */
@Tag("slow")
class FanOutFailoverIT
{
    private static final long RUN_TIMEOUT_NS = 180_000_000_000L;
    private static final int RECEIVERS = 3;
    private static final long RATE = 500;
    private static final long SECONDS = 12;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path dir;

    @Test
    void shouldAccountForEveryCopyOverAKilledLeader()
    {
        cluster.start();
        cluster.awaitLeader();
        final RunningCommand client = cluster.startLoadClient(
            "run", "--receivers=" + RECEIVERS, "--rate=" + RATE, "--warm-up=1s", "--duration=" + SECONDS + "s",
            "--delivery=exactly-once", "--drain-timeout=20s", "--json", "--connect-timeout=60s", "--output=" + dir);
        client.awaitProgress("measure");
        cluster.killLeader();
        final CommandResult run = client.await(RUN_TIMEOUT_NS);
        // Copies that are missing fail the run; a leader may have sent all of them before it died.
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        final JsonNode result = run.json();
        final JsonNode fanOut = result.get("fanOut");

        assertThat(result.get("newLeaders").asLong() + result.get("reconnects").asLong()).as("%s", result).isPositive();
        final long scheduled = RATE * SECONDS;
        assertThat(result.get("scheduled").asLong()).isEqualTo(scheduled);
        // What the sender was promised holds whatever the receivers got.
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).as("%s", result).isEqualTo(scheduled);
        long missing = 0;
        long received = 0;
        long mostMissing = 0;
        assertThat(fanOut.get("receivers")).hasSize(RECEIVERS);
        for (final JsonNode receiver : fanOut.get("receivers"))
        {
            assertThat(receiver.get("scheduled").asLong()).isEqualTo(scheduled);
            assertThat(
                receiver.get("received").asLong() + receiver.get("late").asLong() + receiver.get("missing").asLong() +
                receiver.get("neverSent").asLong()).as("%s", fanOut).isEqualTo(scheduled);
            assertThat(receiver.get("neverSent").asLong()).isZero();
            assertThat(receiver.get("corrupt").asLong()).as("%s", fanOut).isZero();
            // The new leader applies a message once: it sends no copy again.
            assertThat(receiver.get("duplicates").asLong()).as("%s", fanOut).isZero();
            missing += receiver.get("missing").asLong();
            mostMissing = Math.max(mostMissing, receiver.get("missing").asLong());
            received += receiver.get("received").asLong() + receiver.get("late").asLong();
        }
        // The members were there for most of the run, and an election is short.
        assertThat(received).as("%s", fanOut).isGreaterThan(RECEIVERS * scheduled / 2);
        assertThat(fanOut.get("completed").asLong()).isBetween(scheduled - missing, scheduled - mostMissing);
        assertThat(fanOut.at("/responseTimeNs/count").asLong()).isEqualTo(RECEIVERS * scheduled);
        assertThat(fanOut.at("/lastResponseTimeNs/count").asLong()).isEqualTo(scheduled);
        if (missing > 0)
        {
            assertThat(run.exitCode()).as("status of a run with %d missing copies", missing).isEqualTo(4);
            assertThat(result.at("/verdict/reasons").toString())
                .contains(missing + " of " + RECEIVERS * scheduled + " copies did not reach their receiver");
        }
        cluster.stop();
    }
}
