package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The time in which a killed follower comes back grows with the log since the last snapshot. */
@Tag("slow")
class ComebackIT
{
    /** Only provides ports and folder; the sweep starts its own cluster. */
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Test
    void shouldMeasureTheReturnOfAFollowerAfterTheLogHasGrown() throws IOException
    {
        final Path file = Files.writeString(
            results.resolve("comeback.properties"),
            """
            fault=kill
            away=1s
            log-length=2m,60m
            mtu=1408
            size=1344
            rate=4k
            repeats=1
            duration=5s
            warm-up=1s
            cluster-warm-up=2s
            echo.base.port=%d
            """.formatted(cluster.basePort()));
        final CommandResult result = cluster.loadClient(
            "matrix", file.toString(), "--json", "--quiet", "--connect-timeout=60s", "--drain-timeout=60s",
            "--output=" + results);

        final JsonNode sweep = result.json();
        assertThat(sweep.get("cells")).as("%s", result).hasSize(2).allSatisfy((cell) ->
        {
            assertThat(cell.at("/memberReturn/inQuorumNs/median").asLong()).as("%s", result).isPositive();
            assertThat(cell.at("/memberReturn/caughtUpNs/median").asLong())
                .isGreaterThanOrEqualTo(cell.at("/memberReturn/inQuorumNs/median").asLong());
        });
        // 60 MB at 4,000 messages of 1.4 kB a second.
        assertThat(faultNs(sweep, 1) - faultNs(sweep, 0)).as("%s", result).isGreaterThan(TimeUnit.SECONDS.toNanos(7));
        assertThat(sweep.get("runs")).allSatisfy((run) ->
        {
            final Path folder = Path.of(sweep.get("resultFolder").asText()).resolve(run.get("folder").asText());
            final JsonNode failover = new ObjectMapper().readTree(folder.resolve("failover.json").toFile());
            assertThat(failover.at("/acknowledgedLost").asLong(-1)).as("%s", failover).isZero();
            assertThat(failover.at("/cycles/0/victimCaughtUpNs").asLong() - failover.at("/cycles/0/victimReturnedNs").asLong())
                .isEqualTo(run.at("/memberReturn/caughtUpNs").asLong());
        });
        assertThat(Path.of(sweep.get("resultFolder").asText()).resolve("report.html")).content().contains("memberReturn");
    }

    /** Of the only cycle of a run, since its load began. */
    private static long faultNs(final JsonNode sweep, final int run)
    {
        try
        {
            final Path folder =
                Path.of(sweep.get("resultFolder").asText()).resolve(sweep.get("runs").get(run).get("folder").asText());
            return new ObjectMapper().readTree(folder.resolve("failover.json").toFile()).at("/cycles/0/startNs").asLong();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
