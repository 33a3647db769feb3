package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The time in which a killed follower comes back grows with the log since the last snapshot.
 */
@Tag("slow")
class ComebackIT
{
    /** Only provides ports and folder; the sweep starts its own cluster. */
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Test
    void shouldNeedLongerAfterALongerLog() throws IOException
    {
        final Path file = Files.writeString(
            results.resolve("comeback.properties"),
            """
            fault=kill
            away=1s
            log-length=2m,300m
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
        final long shortNs = sweep.at("/cells/0/memberReturn/caughtUpNs/median").asLong();
        final long longNs = sweep.at("/cells/1/memberReturn/caughtUpNs/median").asLong();
        System.out.println("caught up after " + shortNs + " ns with 2 MB of log, " + longNs + " ns with 300 MB");
        assertThat(longNs).as("%s", result).isGreaterThan(shortNs);
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
}
