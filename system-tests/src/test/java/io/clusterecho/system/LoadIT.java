package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class LoadIT
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int MAX_UNFRAGMENTED_LENGTH = 1344;
    private static final long RUN_TIMEOUT_NS = 180 * SECOND_NS;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path results;

    /** On one cluster, because its start takes as long as a load. */
    @Test
    void shouldAccountForEveryMessageOfAnyLength()
    {
        cluster.start();
        assertAccountedFor(32, 500, "auto");
        assertAccountedFor(288, 500, "shared");
        assertAccountedFor(1344, 500, "auto");
        // Takes 15 datagrams, which the receiver reassembles.
        assertAccountedFor(20_000, 100, "shared");
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private void assertAccountedFor(final int length, final int rate, final String profile)
    {
        final long count = 3L * rate;
        final JsonNode result = load(
            "--rate", String.valueOf(rate), "--size", String.valueOf(length), "--duration", "3s", "--sessions", "3",
            "--profile", profile);

        assertThat(result.get("scheduled").asLong()).as("%d bytes", length).isEqualTo(count);
        assertThat(accountedFor(result)).isEqualTo(count);
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).as("%d bytes", length).isEqualTo(count);
        assertThat(result.get("duplicates").asLong()).isZero();
        assertThat(result.get("outOfOrder").asLong()).isZero();
        assertThat(result.get("corrupt").asLong()).isZero();
        assertThat(result.at("/responseTimeNs/count").asLong()).isEqualTo(count);
        if ("shared".equals(profile) && "java".equals(result.at("/configuration/driver").asText()))
        {
            assertReceiveLateness(result, length > MAX_UNFRAGMENTED_LENGTH ? 0 : count);
        }
        assertThat(result.get("durability").asText()).startsWith("fsync 0");
    }

    @Test
    void shouldAccountForMessagesOfManyFragmentsByKindOverTwoClients()
    {
        cluster.with("echo.client.term.length", "16m").with("echo.max.message.length", "1m").start();
        final JsonNode result = load(
            "--kind", "orders:100:288", "--kind", "files:20:64k..1m", "--duration", "2s", "--clients", "2",
            "--drain-timeout", "60s");

        assertThat(result.get("scheduled").asLong()).isEqualTo(240);
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).isEqualTo(240);
        assertThat(result.get("duplicates").asLong()).isZero();
        assertThat(result.get("corrupt").asLong()).isZero();
        assertThat(result.get("kinds")).hasSize(2);
        assertThat(result.at("/kinds/0/name").asText()).isEqualTo("orders");
        final long orders = accountedFor(result.at("/kinds/0"));
        final long files = accountedFor(result.at("/kinds/1"));
        assertThat(orders + files).isEqualTo(240);
        assertThat(files).isBetween(36L, 44L);
        assertThat(result.at("/kinds/1/maxLengthBytes").asLong()).isEqualTo(1 << 20);
        assertThat(result.at("/kinds/1/responseTimeNs/count").asLong()).isEqualTo(files);
        assertThat(result.at("/configuration/rate").asText()).isEqualTo("120");
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldShowAPauseOfAllMembersInFull()
    {
        final long pauseNs = 2 * SECOND_NS;
        cluster.start();
        final RunningCommand client = start("--rate", "500", "--size", "288", "--duration", "8s", "--drain-timeout", "60s",
            // When they resume, the members may hold an election; messages lost with the old term are resent.
            "--delivery", "exactly-once");
        client.awaitProgress("measure");
        cluster.members().forEach(cluster::pause);
        LockSupport.parkNanos(pauseNs);
        cluster.members().forEach(cluster::resume);
        final JsonNode result = result(client);

        assertThat(result.get("scheduled").asLong()).isEqualTo(4_000);
        assertThat(accountedFor(result)).isEqualTo(4_000);
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).isEqualTo(4_000);
        // The pause is 2 s of 8 s: the longest wait is the whole pause, and a quarter of all messages waited for some of it.
        assertThat(result.at("/responseTimeNs/max").asLong()).isGreaterThan(pauseNs * 99 / 100);
        assertThat(result.at("/responseTimeNs/p90").asLong()).isGreaterThan(pauseNs / 2);
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldChargeAPauseOfTheClientToTheResponseTimeAndNotToTheServiceTime()
    {
        final long pauseNs = SECOND_NS;
        final RunningCommand client = start(
            "--transport", "memory", "--rate", "500", "--size", "288", "--duration", "8s", "--drain-timeout", "60s");
        client.awaitProgress("measure");
        client.process().pause();
        LockSupport.parkNanos(pauseNs);
        client.process().resume();
        final JsonNode result = result(client);

        assertThat(result.get("scheduled").asLong()).isEqualTo(4_000);
        assertThat(accountedFor(result)).isEqualTo(4_000);
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).isEqualTo(4_000);
        // An eighth of all messages was due in the pause; the slowest tenth waited for more than a fifth of it.
        assertThat(result.at("/responseTimeNs/max").asLong()).isGreaterThan(pauseNs * 99 / 100);
        assertThat(result.at("/responseTimeNs/p90").asLong()).isGreaterThan(pauseNs / 6);
        assertThat(result.at("/sendDelayNs/p90").asLong()).isGreaterThan(pauseNs / 6);
        assertThat(result.at("/serviceTimeNs/p90").asLong()).isLessThan(pauseNs / 10);
    }

    private RunningCommand start(final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--warm-up", "1s", "--json", "--connect-timeout=60s", "--output=" + results));
        return cluster.startLoadClient(all.toArray(new String[0]));
    }

    private JsonNode load(final String... options)
    {
        return result(start(options));
    }

    private static JsonNode result(final RunningCommand client)
    {
        final CommandResult result = client.await(RUN_TIMEOUT_NS);
        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        return result.json();
    }

    /** The driver's thread stamps each datagram, so that the wait for the agent is known; not that of replies in fragments. */
    private static void assertReceiveLateness(final JsonNode result, final long count)
    {
        final JsonNode lateness = result.at("/receiveLatenessNs");
        assertThat(lateness.path("count").asLong()).isEqualTo(count);
        if (count > 0)
        {
            assertThat(lateness.get("p50").asLong()).isPositive().isLessThan(result.at("/serviceTimeNs/p50").asLong());
            assertThat(lateness.get("max").asLong()).isLessThanOrEqualTo(result.at("/serviceTimeNs/max").asLong());
        }
        else
        {
            assertThat(lateness.isMissingNode()).isTrue();
        }
        // What the client had no part in is known of every message all the same.
        assertThat(result.at("/clientTail/clientNs").asDouble()).isBetween(1.0, result.at("/clientTail/responseNs").asDouble());
    }

    private static long accountedFor(final JsonNode result)
    {
        return result.get("answered").asLong() + result.get("late").asLong() + result.get("unanswered").asLong() +
            result.get("neverSent").asLong();
    }
}
