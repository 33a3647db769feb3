package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.ClusterMember;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Members and a client with the C driver in their processes. */
@Tag("c-driver")
class EmbeddedDriverClusterIT
{
    private static final int UNUSABLE = 2;
    private static final String SEGMENT_LENGTH = "131072";

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withDriver("embedded");

    @TempDir
    private Path results;

    @Test
    void shouldLoseNothingWhenTheLeaderIsKilledAndLeaveNothingBehind()
    {
        cluster.start();
        final CommandResult failover = cluster.loadClient(FailoverIT.options(
            results, "--delivery=exactly-once", "--fault=kill", "--victim=leader", "--cycles=1", "--drain-timeout=60s"));
        final JsonNode result = failover.json();
        assertThat(failover.exitCode()).as("%s", failover).isZero();
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.at("/cycles/0/recovered").asBoolean()).as("%s", failover).isTrue();

        cluster.stop();
        assertThat(cluster.members()).allSatisfy(
            (member) -> assertThat(member.logFile()).content().contains("exit 0 (stopped on request)"));
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldStartAWipedMemberWithTheLeadersSnapshotAfterAPurge()
    {
        cluster.with("echo.max.message.length", "4096").with("echo.log.term.length", SEGMENT_LENGTH)
            .with("aeron.archive.segment.file.length", SEGMENT_LENGTH).start();
        for (int i = 0; i < 2; i++)
        {
            final CommandResult run = cluster.loadClient(
                "run", "--rate=250", "--size=288", "--warm-up=0s", "--duration=4s", "--connect-timeout=60s",
                "--output=" + results);
            assertThat(run.exitCode()).as("%s", run).isZero();
            assertThat(cluster.command("retain").exitCode()).isZero();
        }
        final ClusterMember wiped = cluster.follower();
        assertThat(wiped.storage().startPosition()).isPositive();
        cluster.kill(wiped);
        wiped.wipe();
        cluster.startWiped(wiped);
    }

    @Test
    void shouldRefuseWhatNeedsTheEndpointsOrThreadsOfTheJavaDriver()
    {
        assertRefused("because only the Java driver has the filter", "--set", "echo.fault.filter=true");
        assertRefused("because only the Java driver emulates distances", "--placement", "partition");
        assertRefused("auto or compact with echo.driver=embedded, because the member's one thread", "--profile", "shared");
        cluster.assertNothingIsLeft();
    }

    private void assertRefused(final String message, final String... options)
    {
        final CommandResult result = cluster.command("start", options);
        assertThat(result.exitCode()).as("%s", result).isEqualTo(UNUSABLE);
        assertThat(result.err()).contains(message).hasLineCount(1);
    }
}
