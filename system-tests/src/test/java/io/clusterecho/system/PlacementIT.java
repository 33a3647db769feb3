package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Emulated zones on this machine: real members, each at its own address, and a real client. */
@Tag("java-driver")
class PlacementIT
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path dir;

    @Test
    void shouldTakeTheDelaysToTheLeaderAndToTheNearestFollower() throws IOException
    {
        final Path file = Files.writeString(dir.resolve("zones.properties"), """
            zones=near,middle,far
            member.0=near
            member.1=middle
            member.2=far
            client=near
            zone.near.middle.delay=5ms
            zone.middle.far.delay=17ms
            zone.near.far.delay=30ms
            """);
        // 5 ms from the client to the leader, 5 ms from the leader to the nearer of two followers; both ways each.
        final long askedNs = 20 * MS;
        cluster.with("echo.placement", file.toString()).with("aeron.cluster.appointed.leader.id", "1").start();
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(1);
        final CommandResult run = cluster.loadClient(
            "run", "--rate=200", "--warm-up=1s", "--duration=3s", "--json", "--connect-timeout=60s", "--output=" + dir);
        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        final JsonNode result = run.json();

        assertThat(result.get("answered").asLong()).isEqualTo(600);
        assertThat(result.get("placement").asText()).startsWith("emulated " + file).contains("20.0 ms if member 1 leads");
        // No message is early. The minimum, not the median, because delays of a busy machine are not part of the emulated delay;
        // by the other follower it would be 44 ms.
        assertThat(result.at("/serviceTimeNs/min").asLong()).isBetween(askedNs, askedNs * 3 / 2);
        assertThat(result.at("/serviceTimeNs/p50").asLong()).isGreaterThanOrEqualTo(askedNs);
        cluster.stop();
        cluster.assertNothingIsLeft();
    }
}
