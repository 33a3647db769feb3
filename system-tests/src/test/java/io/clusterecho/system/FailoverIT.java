package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class FailoverIT
{
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Test
    void shouldLoseNothingWhenTheLeaderIsKilledAndTheClientSendsAgain()
    {
        cluster.start();
        final JsonNode result = failover(
            "--delivery=exactly-once", "--fault=kill", "--victim=leader", "--cycles=2", "--drain-timeout=60s");

        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.get("cycles")).hasSize(2).allSatisfy((cycle) ->
        {
            assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue();
            // At least the heartbeat timeout of 2 s and the election timeout of 500 ms, less what had passed of the former.
            assertThat(cycle.get("outageNs").asLong()).as("%s", cycle).isGreaterThan(2_000_000_000L);
            assertThat(cycle.get("newLeaders")).as("%s", cycle).isNotEmpty();
        });
    }

    @Test
    void shouldCountWhatIsLostWhenTheClientSendsOnlyOnce()
    {
        cluster.start();
        final JsonNode result = failover(
            // What was lost is waited for in vain.
            "--delivery=at-most-once", "--fault=kill", "--victim=leader", "--cycles=1", "--drain-timeout=5s");

        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        // What the client missed is what the logs do not hold, and what they hold but nobody answered.
        assertThat(result.get("unansweredInLog").asLong() + result.get("unansweredLost").asLong())
            .isEqualTo(result.get("unanswered").asLong());
    }

    private JsonNode failover(final String... options)
    {
        final String[] all = new String[options.length + 8];
        all[0] = "failover";
        System.arraycopy(options, 0, all, 1, options.length);
        final String[] common = {
            "--rate=300", "--warm-up=0s", "--gap=1s", "--limit=120s", "--connect-timeout=60s", "--json", "--output=" + results };
        System.arraycopy(common, 0, all, options.length + 1, common.length);
        final CommandResult result = cluster.loadClient(all);
        assertThat(result.out()).as("%s", result).isNotEmpty();
        return result.json();
    }
}
