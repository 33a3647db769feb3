package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.MemberVersion;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Members with an earlier version of Aeron than that of their jar, which Maven fetches if it is not on this machine. */
@Tag("slow")
class AeronVersionIT
{
    private static final String EARLIER = "1.49.3";
    private static final String OURS = "1.51.0";

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path dir;

    @Test
    void shouldRecoverMembersWithAnEarlierAeron()
    {
        cluster.withDriver("java");
        assertThat(cluster.command("start", "--set", "echo.aeron.version=" + EARLIER).exitCode()).isZero();
        assertThat(cluster.members()).allMatch((member) -> EARLIER.equals(MemberVersion.of(member).orElseThrow().aeron()));
        final CommandResult first = load();
        assertThat(first.json().get("answered").asInt()).as("%s", first).isEqualTo(200);
        assertThat(first.json().at("/cluster/echo.aeron.version").asText()).isEqualTo(EARLIER);
        assertThat(first.json().at("/verdict/warnings").toString()).contains(
            "members have Aeron " + EARLIER + ", this client " + OURS);

        assertThat(cluster.command("snapshot").exitCode()).isZero();
        final CommandResult second = load();
        assertThat(second.json().get("answered").asInt()).as("%s", second).isEqualTo(200);
        final ClusterMember killed = cluster.killLeader();
        final CommandResult restart =
            cluster.command("start", cluster.baseDir().resolve("settings.properties").toString());
        assertThat(restart.exitCode()).as("%s", restart).isZero();
        assertThat(MemberVersion.of(killed).orElseThrow().aeron()).isEqualTo(EARLIER);
        final CommandResult third = load();
        assertThat(third.json().get("answered").asInt()).as("%s", third).isEqualTo(200);
        assertThat(cluster.status().isHealthy()).isTrue();
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldCompareTwoVersionsInASweep() throws IOException
    {
        final Path file = Files.writeString(
            dir.resolve("aeron.properties"),
            """
            members=1
            aeron=%s,%s
            rate=100
            repeats=1
            duration=1s
            warm-up=1s
            cluster-warm-up=0s
            echo.base.port=%d
            """.formatted(EARLIER, OURS, cluster.basePort()));
        final CommandResult result = cluster.loadClient("matrix", file.toString(), "--json", "--output=" + dir);

        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        final JsonNode cells = result.json().get("cells");
        assertThat(cells).hasSize(2);
        assertThat(List.of(cells.at("/0/values/aeron").asText(), cells.at("/1/values/aeron").asText()))
            .containsExactly(EARLIER, OURS);
        assertThat(cells).allSatisfy(
            (cell) -> assertThat(cell.at("/responseTimeNs/p50/median").asDouble()).as("%s", cell).isPositive());
    }

    private CommandResult load()
    {
        final CommandResult run = cluster.loadClient(
            "run", "--rate=100", "--warm-up=500ms", "--duration=2s", "--json", "--connect-timeout=60s", "--output=" + dir);
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        return run;
    }
}
