package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.aeron.cluster.ElectionState;

import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;
import io.clusterecho.reporting.results.Expectation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecondFaultTest extends LabFixture
{
    @TempDir
    private Path folder;

    @Test
    void shouldInjectAndUndoBothFaults()
    {
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "0", 0), new PlannedFault(FaultSpec.parse("pause"), "2", 0), 500);

        assertThat(ended.isRecovered()).as("%s", ended.problem()).isTrue();
        assertThat(ended.expectation()).isEqualTo(Expectation.NO_QUORUM);
        assertThat(cluster.members.get(0).calls).containsExactly("kill", "cleanUp", "start");
        assertThat(cluster.members.get(2).calls).containsExactly("pause", "resume");
        assertThat(ended.second().hit().victims()).containsExactly(2);
        assertThat(ended.second().injectedNs()).isEqualTo(500 * MS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).as("the last return").isBetween(1_500 * MS, 1_700 * MS);
    }

    @ParameterizedTest
    @CsvSource({ "0, false", "1, true", "2, false" })
    void shouldNotTakeTheVictimOfASecondFaultForOneThatDetectedTheFirst(final int memberId, final boolean isDetection)
    {
        cluster.changes.add(new ElectionWatch.Change(
            Long.MAX_VALUE / 2, memberId, ElectionState.CLOSED.code(), ElectionState.CANVASS.code(), false));
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "0", 0), new PlannedFault(FaultSpec.parse("pause"), "2", 0), 500);
        assertThat(ended.phases().containsKey(Cycle.OutagePhase.FAILURE_DETECTED)).isEqualTo(isDetection);
    }

    @Test
    void shouldWaitUntilTheFirstFaultNoLongerAffectsItsVictim()
    {
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "0", 0), new PlannedFault(FaultSpec.parse("kill"), "0", 0), 100);

        assertThat(ended.isRecovered()).as("%s", ended.problem()).isTrue();
        assertThat(ended.second().injectedNs()).isGreaterThan(1_000 * MS);
        assertThat(cluster.members.get(0).calls).containsExactly("kill", "cleanUp", "start", "kill", "cleanUp", "start");
    }

    @Test
    void shouldHitAnyOtherMemberDuringAnElection()
    {
        cluster.electionNs = 800 * MS;
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "leader", 0), new PlannedFault(FaultSpec.parse("kill"), "leader", 1), 300);

        assertThat(ended.second().injectedNs()).isBetween(300 * MS, 400 * MS);
        assertThat(ended.second().hit().victims()).containsExactly(2);
        assertThat(ended.isRecovered()).as("%s", ended.problem()).isTrue();
    }

    @Test
    void shouldUndoAFaultThatWasInjectedOnlyInPart()
    {
        cluster.members.get(2).failing.add("pause");
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "0", 0), new PlannedFault(FaultSpec.parse("pause"), "2", 0), 100);

        assertThat(ended.problem()).contains("the second fault was not injected", "member 2 refuses to pause");
        assertThat(cluster.members.get(2).calls).containsExactly("resume");
    }

    @ParameterizedTest
    @CsvSource({
        // Two of three members are away, or may be.
        "kill,              leader,   pause,             follower,  3, NO_QUORUM",
        "kill,              follower, partition-inbound, follower,  3, NO_QUORUM",
        "partition-pair,    follower, kill,              follower,  3, NO_QUORUM",
        "disk-full,         follower, sync-error,        leader,    3, NO_QUORUM",
        "clock-step:+10m,   leader,   kill,              follower,  3, NO_QUORUM",
        "link-loss,         follower, kill,              followers, 3, NO_QUORUM",
        // The same with five, of which three remain.
        "kill,              leader,   pause,             follower,  5, TWO_ELECTIONS",
        "kill,              follower, partition-inbound, follower,  5, LEADER_STAYS",
        "kill,              follower, kill,              leader,    5, ONE_ELECTION",
        "kill,              leader,   kill,              followers, 5, NO_QUORUM",
        // One of three is away, and the others have a worse link or disk, or no clients.
        "kill,              leader,   link-loss,         follower,  3, TWO_ELECTIONS",
        "link-loss,         leader,   kill,              leader,    3, TWO_ELECTIONS",
        "link-loss,         leader,   kill,              follower,  3, LEADER_STAYS",
        "kill,              follower, link-jitter:20ms,  leader,    3, LEADER_STAYS",
        "kill,              follower, link-delay:200ms,  leader,    3, TWO_ELECTIONS",
        "slow-disk,         follower, kill,              follower,  3, TWO_ELECTIONS",
        "kill,              follower, slow-disk,         follower,  3, TWO_ELECTIONS",
        "kill,              follower, partition-clients, leader,    3, NO_CLIENTS",
        "kill,              leader,   partition-clients, follower,  3, NO_QUORUM",
        // None is away.
        "slow-disk,         follower, link-loss,         leader,    3, LEADER_STAYS",
        "slow-disk,         leader,   link-loss,         leader,    3, ONE_ELECTION",
        "partition-clients, leader,   link-loss,         follower,  3, NO_CLIENTS",
        "link-loss,         follower, link-loss,         follower,  3, LEADER_STAYS",
        "link-loss,         follower, link-delay:200ms,  follower,  3, ONE_ELECTION",
        "link-delay:200ms,  follower, link-delay:200ms,  leader,    3, TWO_ELECTIONS" })
    void shouldExpectWhatBothLeaveOfTheCluster(
        final String first, final String victim, final String second, final String secondVictim, final int memberCount,
        final Expectation expectation)
    {
        final PlannedFault both = new PlannedFault(
            FaultSpec.parse(first), victim, 0,
            new PlannedFault.Second(new PlannedFault(FaultSpec.parse(second), secondVictim, 0), 0));

        assertThat(both.expectation("leader".equals(victim), 1, memberCount)).isEqualTo(expectation);
    }

    @ParameterizedTest
    @CsvSource({
        "LEADER_STAYS, 2000", "ONE_ELECTION, 3000", "TWO_ELECTIONS, 6000", "NO_CLIENTS, 9000", "NO_QUORUM, 15000" })
    void shouldBoundTheOutage(final Expectation expectation, final long boundMs)
    {
        final Cycle cycle = new CycleBuilder(1).with("expectation", expectation).with("outageNs", (boundMs + 1) * MS)
            .with("victimReturnedNs", 7_000 * MS).cycle();
        final FailoverResult.Bounds bounds = new FailoverResult.Bounds(2_000 * MS, 3_000 * MS);

        assertThat(bounds.expectedNs(cycle)).isEqualTo(boundMs * MS);
        assertThat(cycle.with(bounds.expectedNs(cycle), null, null).isBeyondExpected()).isTrue();
    }

    @Test
    void shouldExpectOnlyElectionsOfACycleThatLeavesAQuorum()
    {
        cluster.electionNs = 800 * MS;
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "leader", 0),
            new PlannedFault(FaultSpec.parse("link-loss:5%"), "follower", 1), 300);

        assertThat(ended.isRecovered()).as("%s", ended.problem()).isTrue();
        assertThat(ended.expectation()).isEqualTo(Expectation.TWO_ELECTIONS);
        assertThat(ended.second().hit().victims()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "kill, pause, true", "partition-pair, disk-stall, true", "disk-stall, partition-pair, false",
        "disk-stall, power-loss, false", "wipe, kill, false", "kill, wipe, false" })
    void shouldNotFollowWhereBothCannotBeUndoneOrLoseMessages(final String first, final String second, final boolean isAllowed)
    {
        assertThat(new PlannedFault(FaultSpec.parse(first), "leader", 0)
            .isAllowedWith(new PlannedFault(FaultSpec.parse(second), "follower", 0))).isEqualTo(isAllowed);
    }

    @Test
    void shouldBeNamedInTheLineOfItsCycle() throws IOException
    {
        final PlannedFault second = new PlannedFault(FaultSpec.parse("link-loss:5%"), "follower", 3);
        final Cycle both = CycleBuilder.of(SampleFailover.result(folder, 1, "").cycles().get(0)).with(
            "second", new Cycle.Second(second.hit(List.of(1)), 7, 9L)).cycle();

        assertThat(FailoverText.line(both)).contains("kill member 0 (leader), after 9.00 ns link-loss:5% member 1");
    }

    private static PlannedFault with(final PlannedFault first, final PlannedFault.Second second)
    {
        return new PlannedFault(first.spec(), first.victim(), first.pick(), second);
    }

    private Cycle cycle(final PlannedFault first, final PlannedFault second, final long afterMs)
    {
        final List<Cycle> cycles = execute(new FailoverPlan(
            1, 0, (number) -> with(first, new PlannedFault.Second(second, afterMs * MS)), 100 * MS,
            FailoverPlan.VictimReturn.parse("1s"), LIMIT_NS, false, false, 0, null, null));
        assertThat(cycles).hasSize(1);
        return cycles.get(0);
    }
}
