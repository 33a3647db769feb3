package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.link.Impairment.Effect;

/** Real members whose links are impaired under load. */
@Tag("fault")
@Tag("java-driver")
@Timeout(900)
class LinkFaultIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final int MESSAGE_COUNT = 1_600;

    @RegisterExtension
    private final EchoCluster cluster =
        new EchoCluster(3).with("echo.fault.filter", "true").with("echo.placement", "cluster");

    @TempDir
    private Path results;

    @Test
    void shouldServeWhileLeaderAndOneFollowerAreCutFromEachOther()
    {
        cluster.start();
        final ClusterMember leader = cluster.awaitLeader();
        final ClusterMember follower = cluster.follower();
        final long term = counters(leader).leadershipTermId();
        final RunningCommand load = load();
        load.awaitProgress("measure");
        leader.impair(Impairment.ofMember(follower.memberId()).cut());
        follower.impair(Impairment.ofMember(leader.memberId()).cut());
        await("the follower misses its leader", () -> !counters(follower).isSettled());

        assertAllAnswered(load);
        assertThat(counters(follower).isSettled()).as("the follower has found a leader while it was cut off").isFalse();
        assertThat(counters(leader).isLeader()).isTrue();
        assertThat(counters(leader).leadershipTermId()).isEqualTo(term);
        leader.restoreLink();
        follower.restoreLink();
        await("the follower is back", () -> counters(follower).isSettled() &&
            counters(follower).commitPosition() >= counters(leader).commitPosition());
        assertAuditClean();
    }

    @Test
    void shouldKeepItsTermWhileClientsAreCutFromTheLeader() throws InterruptedException
    {
        cluster.start();
        final ClusterMember leader = cluster.awaitLeader();
        final long term = counters(leader).leadershipTermId();
        final RunningCommand load = load();
        load.awaitProgress("measure");
        leader.impair(Impairment.ofClients(Direction.BOTH).cut());
        // What it has received already is soon committed.
        TimeUnit.MILLISECONDS.sleep(500);
        final long receivedCount = counters(leader).service().get(ServiceCounter.RECEIVED);
        TimeUnit.MILLISECONDS.sleep(2_500);
        assertThat(counters(leader).service()).containsEntry(ServiceCounter.RECEIVED, receivedCount);
        assertThat(cluster.members()).as("members that follow the leader").allMatch((member) -> counters(member).isSettled());
        leader.restoreLink();

        final JsonNode result = assertAllAnswered(load);
        assertThat(result.at("/responseTimeNs/max").asLong()).isGreaterThan(2_500_000_000L);
        assertThat(counters(leader).isLeader()).isTrue();
        assertThat(counters(leader).leadershipTermId()).isEqualTo(term);
        assertAuditClean();
    }

    @Tag("matrix-24")
    @Test
    void shouldLoseNoMessageWhenAllMembersLoseFrames()
    {
        cluster.start();
        for (final ClusterMember member : cluster.members())
        {
            member.impair(Impairment.of(Direction.RECEIVE).with(Effect.LOSS_PPM, 100_000).seeded(member.memberId()));
        }
        assertAllAnswered(load());
        cluster.members().forEach(ClusterMember::restoreLink);
        assertAuditClean();
    }

    @Tag("matrix-10")
    @ParameterizedTest
    @ValueSource(strings = { "partition-inbound", "partition-outbound" })
    void shouldRecoverFromAPartitionOfOneDirection(final String fault)
    {
        cluster.start();
        final CommandResult result = cluster.loadClient(FailoverIT.options(
            results, "--fault=" + fault, "--delivery=exactly-once", "--victim=leader", "--cycles=2", "--drain-timeout=60s"));
        assertThat(result.out()).as("%s", result).isNotEmpty();

        assertNothingIsLost(result.json());
        assertThat(result.json().get("cycles")).hasSize(2).allSatisfy((cycle) ->
        {
            assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue();
            assertThat(cycle.get("newLeaders")).as("%s", cycle).isNotEmpty();
        });
    }

    private RunningCommand load()
    {
        return cluster.startLoadClient(
            "run", "--rate=200", "--warm-up=1s", "--duration=8s", "--connect-timeout=60s", "--drain-timeout=30s", "--json",
            "--delivery=exactly-once", "--output=" + results);
    }

    /** The verdict is another matter: it names the member that was missing, or the long tail. */
    private static JsonNode assertAllAnswered(final RunningCommand load)
    {
        final CommandResult result = load.await(TIMEOUT_NS);
        assertThat(result.out()).as("%s", result).isNotEmpty();
        assertThat(result.json().path("answered").asLong()).as("%s", result).isEqualTo(MESSAGE_COUNT);
        return result.json();
    }

    private void assertAuditClean()
    {
        final JsonNode audit = cluster.loadClient("audit", "--json").json();
        assertThat(audit.get("clean").asBoolean()).as("%s", audit).isTrue();
    }

    private static void assertNothingIsLost(final JsonNode result)
    {
        assertThat(List.of(
            result.get("acknowledgedLost").asLong(), result.get("appliedTwice").asLong(), result.get("unanswered").asLong()))
            .as("%s", result).containsOnly(0L);
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
    }

    private static void await(final String what, final BooleanSupplier isDone)
    {
        assertThat(Deadline.in(TIMEOUT_NS).await(isDone)).as(what).isTrue();
    }

    private static MemberCounters counters(final ClusterMember member)
    {
        return member.counters().orElseThrow();
    }
}
