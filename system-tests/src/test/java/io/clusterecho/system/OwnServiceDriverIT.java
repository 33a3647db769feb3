package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A service that is not ours, with the C driver in members and client; OrderBookMembersIT has it beside them. */
@Tag("c-driver")
class OwnServiceDriverIT
{
    @RegisterExtension
    private final EchoCluster cluster = OwnService.in(new EchoCluster(3).withoutElections().withDriver("embedded"));

    @TempDir
    private Path results;

    @Test
    void shouldAccountForEachRequestAndLoseNothingWithTheLeader()
    {
        cluster.start();
        final JsonNode run = OwnService.measure(cluster, results, "run", "--rate=500", "--duration=2s");
        assertThat(run.at("/cluster/echo.driver").asText()).as("%s", run.get("cluster")).isEqualTo("embedded");
        OwnService.assertAccounts(run, 1_000);

        final JsonNode failover = OwnService.measure(
            cluster, results, "failover", "--cycles=1", "--rate=200", "--drain-timeout=5s");
        assertThat(failover.get("acknowledged").asLong()).isPositive();
        assertThat(failover.get("acknowledgedLost").asLong()).isZero();
        assertThat(failover.at("/audit/clean").asBoolean()).as("%s", failover.get("audit")).isTrue();
        assertThat(failover.at("/cycles/0/recovered").asBoolean()).as("%s", failover.get("cycles")).isTrue();
        cluster.stop();
        cluster.assertNothingIsLeft();
    }
}
