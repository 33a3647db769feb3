package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Tag("alone")
class ChurnIT
{
    private static final int SESSION_COUNT = 50;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).with("echo.max.sessions", "1000");

    @TempDir
    private Path results;

    @Test
    void shouldAccountForSessionsThatComeAndGoAndForThoseThatReturnAfterTheLossOfTheLeader()
    {
        cluster.start();
        final JsonNode run = cluster.loadClient(
            "--rate", "1000", "--warm-up", "1s", "--duration", "12s", "--churn", "50", "--connect-timeout", "30s",
            "--drain-timeout", "30s", "--json", "--quiet", "--output=" + results).json();

        final JsonNode churn = run.get("churn");
        final JsonNode sessions = churn.get("sessions");
        assertThat(count(sessions, "due")).as("two turns of 3 s, %s", sessions).isEqualTo(300).isEqualTo(count(
            sessions, "connected", "refusedLimit", "refusedOther", "timedOutUnreached", "timedOutUnanswered", "failed",
            "notAttempted", "inProgress", "notBegun"));
        assertThat(count(sessions, "connected")).as("%s", churn).isEqualTo(300)
            .isEqualTo(count(sessions, "closed", "lost", "unanswered", "open"));
        assertThat(churn.at("/connectTimeNs/count").asLong()).isEqualTo(300);
        // The last ones may be opened after the end of the load, when the counters of members are read no more; and the service
        // may count one a moment after its client is connected.
        assertThat(churn.at("/cluster/opened").asLong()).as("opened by the service, %s", churn)
            .isBetween(connectedUntilTheEndOfTheLoad(churn.get("intervals")) - 1, 300L);
        assertThat(churn.at("/cluster/timedOut").asLong()).as("known, %s", churn).isNotNegative();
        assertThat(churn.at("/responseTimeDuringNs/count").asLong() + churn.at("/responseTimeApartNs/count").asLong())
            .isEqualTo(run.at("/responseTimeNs/count").asLong());
        assertThat(churn.get("windows")).hasSize(2);

        final JsonNode failover = cluster.loadClient(
            "failover", "--fault", "kill", "--victim", "leader", "--cycles", "1", "--rate", "1000", "--warm-up", "1s",
            "--connections", String.valueOf(SESSION_COUNT), "--delivery", "exactly-once", "--json", "--quiet",
            "--output=" + results).json();
        assertThat(failover.at("/cycles/0/recovered").asBoolean()).as("%s", failover.get("cycles")).isTrue();
        assertThat(failover.get("acknowledgedLost").asLong()).isZero();
        assertThat(failover.get("unanswered").asLong()).isZero();
    }

    private static long connectedUntilTheEndOfTheLoad(final JsonNode intervals)
    {
        long sum = 0;
        for (int i = 0; i < intervals.size() - 1; i++)
        {
            sum += intervals.get(i).get("connected").asLong();
        }
        // Far more than those of the last moment.
        assertThat(sum).isGreaterThan(280);
        return sum;
    }

    private static long count(final JsonNode sessions, final String... names)
    {
        long sum = 0;
        for (final String name : names)
        {
            sum += sessions.get(name).asLong();
        }
        return sum;
    }
}
