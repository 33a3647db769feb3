package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Emulated delays in some stages of a message's path show in those stages and in no other. The Java driver emulates them. */
@Tag("java-driver")
class StagesIT
{
    private static final long MS = 1_000_000;
    private static final long TOLERANCE_NS = 2 * MS;
    private static final long COUNT = 400;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path dir;

    @Test
    void shouldShowEachDelayInItsStageAndInNoOther() throws IOException
    {
        final Path file = Files.writeString(dir.resolve("zones.properties"), """
            zones=outside,middle,far
            client=outside
            member.0=far
            member.1=middle
            member.2=far
            zone.outside.middle.delay=4ms
            zone.middle.outside.delay=9ms
            zone.middle.far.delay=10ms
            zone.far.middle.delay=15ms
            """);
        cluster.with("echo.placement", file.toString()).with("echo.stages", "true")
            .with("aeron.cluster.appointed.leader.id", "1").start();
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(1);
        final CommandResult run = cluster.loadClient(
            "run", "--stages", "--rate=200", "--warm-up=500ms", "--duration=2s", "--json", "--connect-timeout=60s",
            "--output=" + dir);
        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        final JsonNode result = run.json();

        assertThat(result.get("answered").asLong()).isEqualTo(COUNT);
        assertThat(result.at("/stages/told").asLong()).as("%s", result.get("stages")).isEqualTo(COUNT);
        // The minimum, not the median, because delays of a busy machine are not part of the emulated delay.
        assertLeast(result, "toLeader", 4 * MS);
        assertLeast(result, "log", 0);
        // Measured from when the leader's own archive has the message: if that is late, the quorum stage is shorter.
        assertThat(result.at("/stages/quorumNs/min").asLong()).isLessThan(25 * MS + TOLERANCE_NS);
        assertThat(result.at("/stages/quorumNs/p50").asLong()).isGreaterThan(20 * MS);
        assertLeast(result, "toService", 0);
        assertLeast(result, "toClient", 9 * MS);
        double sumNs = result.at("/sendDelayNs/mean").asDouble();
        for (final String stage : new String[]{ "toLeader", "log", "quorum", "toService", "toClient" })
        {
            sumNs += result.at("/stages/" + stage + "Ns/mean").asDouble();
        }
        final double meanNs = result.at("/responseTimeNs/mean").asDouble();
        // Histograms have three significant digits.
        assertThat(sumNs).isCloseTo(meanNs, within(meanNs / 500));
        assertSlowest(result);
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    /** Fewer than are kept, so all: each with all parts, which add up exactly. */
    private static void assertSlowest(final JsonNode result) throws IOException
    {
        final JsonNode kept = new ObjectMapper().readTree(
            Path.of(result.get("resultFolder").asText()).resolve("slowest-messages.json").toFile()).get("slowestMessages");
        assertThat(kept).hasSize((int)COUNT).allSatisfy((message) ->
        {
            final JsonNode parts = message.get("partsNs");
            assertThat(parts.fieldNames()).toIterable().contains("toLeaderNs", "logNs", "quorumNs", "toServiceNs", "toClientNs")
                .doesNotContain("unknownNs", "receiveLatenessNs");
            long sumNs = 0;
            for (final JsonNode part : parts)
            {
                sumNs += part.asLong();
            }
            assertThat(message.get("responseTimeNs").asLong()).isEqualTo(sumNs);
            assertThat(parts.get("toLeaderNs").asLong()).isGreaterThanOrEqualTo(4 * MS);
            assertThat(parts.get("toClientNs").asLong()).isGreaterThanOrEqualTo(9 * MS);
        });
        assertThat(kept.get(0).get("responseTimeNs")).isEqualTo(result.at("/slowest/slowest/0/responseTimeNs"));
        assertThat(result.at("/slowest/messages").asLong()).isEqualTo(COUNT / 100);
        assertThat(result.at("/slowest/partsNs/quorumNs").asLong()).isGreaterThan(COUNT / 100 * 20 * MS);
    }

    private static void assertLeast(final JsonNode result, final String stage, final long delayNs)
    {
        // A histogram's value may represent one that is a thousandth longer.
        assertThat(result.at("/stages/" + stage + "Ns/min").asLong()).as(stage)
            .isBetween(delayNs - delayNs / 1_000, delayNs + TOLERANCE_NS);
    }
}
