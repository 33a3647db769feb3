package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;

class FailoverLabTest extends LabFixture
{
    @Test
    void shouldMeasureTheOutageOfALeaderThatIsKilled()
    {
        final Cycle cycle = only("kill", "leader", "auto", 1);

        assertThat(cycle.isRecovered()).isTrue();
        assertThat(cycle.isValid()).isTrue();
        assertThat(cycle.problem()).isEmpty();
        assertThat(cycle.victims()).containsExactly(0);
        assertThat(cycle.outageNs()).isBetween(400 * MS, 440 * MS);
        assertThat(cycle.outageResolutionNs()).isEqualTo(FailoverLab.POLL_INTERVAL_NS);
        assertThat(cycle.leaderBefore()).isZero();
        assertThat(cycle.leaderAfter()).isEqualTo(1);
        assertThat(cycle.isSameLeader()).isFalse();
        assertThat(cycle.isLeaderKilled()).isTrue();
        assertThat(cycle.newLeaders()).containsExactly(1);
        assertThat(cycle.phases()).containsKeys(
            Cycle.OutagePhase.NEW_LEADER_KNOWN, Cycle.OutagePhase.SESSION_USABLE, Cycle.OutagePhase.VICTIM_RETURNED,
            Cycle.OutagePhase.VICTIM_CAUGHT_UP);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isBetween(3_000 * MS, 3_040 * MS);
        assertThat(cluster.members.get(0).calls).containsExactly("kill", "cleanUp", "start");
        assertThat(lab.problems()).isEmpty();
    }

    @Test
    void shouldReturnTheVictimOnlyWhenEchoesFlowAgain()
    {
        cluster.electionNs = 8_000 * MS;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isBetween(8_000 * MS, 8_200 * MS);
        assertThat(cycle.isRecovered()).isTrue();
    }

    @Test
    void shouldReturnTheVictimAtTheGivenTimeWhateverTheClusterDoes()
    {
        cluster.electionNs = 8_000 * MS;
        assertThat(only("kill", "leader", "2s", 1).phaseNs(Cycle.OutagePhase.VICTIM_RETURNED))
            .isBetween(2_000 * MS, 2_040 * MS);
    }

    @Test
    void shouldSeeThatTheSameLeaderLeadsAgain()
    {
        cluster.isLeaderStaying = true;
        cluster.electionNs = 4_000 * MS;
        final Cycle cycle = only("kill", "leader", "3s", 1);
        assertThat(cycle.isRecovered()).as(cycle.problem()).isTrue();
        assertThat(cycle.isSameLeader()).isTrue();
    }

    @Test
    void shouldKeepACycleForWhichTheClusterNeverSettled()
    {
        cluster.isNeverSettled = true;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.isInjected()).isFalse();
        assertThat(cycle.isRecovered()).isFalse();
        assertThat(cycle.problem()).isEqualTo(
            "not all members were in a settled term within --limit 20.0 s, so no fault was injected");
        assertThat(cluster.members.get(0).calls).isEmpty();
        assertThat(cluster.restoreCount).isEqualTo(1);
    }

    @Test
    void shouldInjectNothingWithoutTheRequestedSnapshot()
    {
        cluster.isSnapshotFailing = true;
        final Cycle cycle = execute(plan(List.of("kill"), List.of("leader"), "auto", 1, true)).get(0);
        assertThat(cycle.problem()).isEqualTo("the snapshot before the fault failed: no room for a snapshot");
        assertThat(cycle.isInjected()).isFalse();
    }

    @Test
    void shouldReportAVictimThatDoesNotExist()
    {
        assertThat(only("kill", "7", "auto", 1).problem()).isEqualTo("no member matches --victim");
    }

    @Test
    void shouldMarkACycleInvalidIfTooLittleWasAnsweredBeforeIt()
    {
        cluster.flow = 0.5;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.isValid()).isFalse();
        assertThat(cycle.isRecovered()).isTrue();
        assertThat(cycle.problem()).isEqualTo("only 50% of the target rate was answered in the second before the fault");
    }

    @Test
    void shouldUndoWhatItInjectedWhenTheSecondVictimRefuses()
    {
        cluster.members.get(2).failing.add("pause");
        final Cycle cycle = only("pause", "followers", "auto", 1);
        assertThat(cycle.problem()).isEqualTo("the fault was not injected: member 2 refuses to pause");
        assertThat(cycle.isValid()).isFalse();
        assertThat(cycle.isRecovered()).isFalse();
        assertThat(cluster.members.get(1).calls).containsExactly("pause", "resume");
        assertThat(unrecovered).containsExactly(1);
    }

    @Test
    void shouldKillAVictimThatDoesNotEnd()
    {
        cluster.members.get(0).isImmortal = true;
        final Cycle cycle = only("kill", "0", "1s", 1);
        assertThat(cycle.problem()).contains("member 0 did not exit within 30 s of its fault and was killed");
        assertThat(cluster.members.get(0).calls).startsWith("kill", "kill", "cleanUp", "start");
    }

    @Test
    void shouldReturnTheOtherVictimsWhenOneCannot()
    {
        cluster.members.get(1).failing.add("start");
        final Cycle cycle = only("kill", "followers", "1s", 1);
        assertThat(cycle.problem()).contains("member 1 did not return: member 1 refuses to start");
        assertThat(cluster.members.get(2).calls).contains("start");
        assertThat(cycle.isRecovered()).isFalse();
    }

    @Test
    void shouldGiveUpAVictimThatExitsRepeatedly()
    {
        cluster.members.get(1).isDyingAtOnce = true;
        final Cycle cycle = only("kill", "1", "1s", 1);
        assertThat(cycle.problem()).isEqualTo("member 1 exited again after 3 restarts");
        assertThat(cycle.isRecovered()).isFalse();
    }

    @Test
    void shouldEndAnOpenOutageWithItsCycle()
    {
        cluster.isSilentAfterFault = true;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.problem()).isEqualTo("echoes did not resume within --limit 20.0 s");
        assertThat(cycle.outageNs()).isGreaterThanOrEqualTo(LIMIT_NS);
        assertThat(cycle.phases()).containsKey(Cycle.OutagePhase.LAST_ECHO).doesNotContainKey(Cycle.OutagePhase.FIRST_ECHO);
        assertThat(unrecovered).containsExactly(1);
        assertThat(cluster.restoreCount).isEqualTo(1);
    }

    @Test
    void shouldNotRecoverWhenTheVictimDoesNotCatchUp()
    {
        cluster.members.get(0).commitPosition = 1;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.problem()).isEqualTo("the victim did not catch up within --limit 20.0 s");
    }

    @Test
    void shouldNotRecoverWhenTheBacklogDoesNotDrain()
    {
        cluster.isBacklogStuck = true;
        assertThat(only("kill", "leader", "auto", 1).problem()).isEqualTo("the backlog did not drain within --limit 20.0 s");
    }

    @Test
    void shouldEndWithTheCyclesSoFarWhenTheClusterDoesNotComeBack()
    {
        cluster.isSilentAfterFault = true;
        cluster.isRestoreFailing = true;
        assertThat(execute(plan(List.of("kill"), List.of("leader"), "auto", 5, false))).hasSize(1);
        assertThat(lab.problems()).singleElement().asString().contains(
            "ended after cycle 1 because the cluster did not come back", "no leader in time");
    }

    @Test
    void shouldKeepItsCyclesWhenTheyCannotBeWrittenDown()
    {
        isDiskFull = true;
        assertThat(execute(plan(List.of("kill"), List.of("leader"), "auto", 2, false))).hasSize(2)
            .allMatch(Cycle::isRecovered);
        assertThat(lab.problems()).hasSize(2).allMatch((problem) -> problem.contains("could not be written: the disk is full"));
    }

    @Test
    void shouldWriteDownEachCycleWhenItEnds()
    {
        execute(plan(List.of("kill", "pause"), List.of("leader"), "auto", 3, false));
        assertThat(kept).containsExactly("1 of 1", "2 of 2", "3 of 3");
    }

    @Test
    void shouldEndWhenTheLoadDoes()
    {
        cluster.onPause = () -> cluster.isLoadDone = cluster.members.stream().anyMatch((member) -> !member.isAlive);
        final List<Cycle> cycles = execute(plan(List.of("kill"), List.of("leader"), "auto", 5, false));
        assertThat(cycles).singleElement().satisfies((cycle) -> assertThat(cycle.isInterrupted()).isTrue());
        assertThat(lab.problems()).containsExactly("the test ended during cycle 1 because the load had ended");
        assertThat(cluster.members.get(0).isAlive).isTrue();
    }

    @Test
    void shouldBeginNoFaultAfterTheEndWasRequested()
    {
        cluster.onPause = () -> lab.requestEnd();
        assertThat(execute(plan(List.of("kill"), List.of("leader"), "auto", 5, false))).isEmpty();
        assertThat(cluster.members).allMatch((member) -> member.calls.isEmpty());
    }

    @Test
    void shouldUndoTheFaultInEffectWhenTheEndIsRequested()
    {
        cluster.electionNs = 8_000 * MS;
        cluster.onPause = () ->
        {
            if (!cluster.members.get(0).isAlive)
            {
                lab.requestEnd();
            }
        };
        final List<Cycle> cycles = execute(plan(List.of("kill"), List.of("leader"), "auto", 5, false));

        assertThat(cycles).singleElement().satisfies((cycle) ->
        {
            assertThat(cycle.isInterrupted()).isTrue();
            assertThat(cycle.isRecovered()).isFalse();
            // Its outage ends with the interruption.
            assertThat(cycle.isValid()).isFalse();
            assertThat(cycle.problem()).isEqualTo("interrupted before recovery");
        });
        assertThat(cluster.members.get(0).calls).containsExactly("kill", "cleanUp", "start");
        assertThat(unrecovered).isEmpty();
        assertThat(lab.problems()).isEmpty();
    }

    @Test
    void shouldWatchForEchoesAsLongAsThereIsNoQuorum()
    {
        cluster.onPause = () -> cluster.echoesWithoutQuorum =
            cluster.members.stream().noneMatch((member) -> member.isAlive) ? 3 : cluster.echoesWithoutQuorum;
        final Cycle cycle = only("kill", "all", "auto", 1);

        assertThat(cycle.isQuorumLost()).isTrue();
        assertThat(cycle.echoesWithoutQuorum()).isEqualTo(3);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isBetween(3_000 * MS, 3_040 * MS);
        assertThat(cluster.quorumLost.get(0)).isEqualTo(SCHEDULE_START_NS + cycle.startNs() + 20 * MS);
        assertThat(cluster.quorumLost).contains(Long.MAX_VALUE);
    }

    @Test
    void shouldUseFaultsAndVictimsRoundRobin()
    {
        final List<Cycle> cycles = execute(
            plan(List.of("kill", "pause"), List.of("0", "follower", "each"), "1s", 6, false));
        assertThat(cycles).extracting((cycle) -> cycle.hit().fault()).containsExactly(
            "kill", "pause", "kill", "pause", "kill", "pause");
        assertThat(cycles.get(0).victims()).containsExactly(0);
        assertThat(cycles.get(1).victims()).hasSize(1).doesNotContain(cycles.get(1).leaderBefore());
        assertThat(cycles.get(2).victims()).containsExactly(0);
        assertThat(cycles.get(5).victims()).containsExactly(1);
    }

    @Test
    void shouldBeginNewCyclesForTheGivenDuration()
    {
        final long durationNs = 20_000 * MS;
        final List<Cycle> cycles = execute(new FailoverPlan(
            1, durationNs, PlannedFault.roundRobin(List.of(FaultSpec.parse("kill")), List.of("leader"), 1), 500 * MS,
            FailoverPlan.VictimReturn.parse("1s"), LIMIT_NS, false, false, 0, null, null));
        // A gap, a second of traffic, a second to the return, four polls.
        assertThat(cycles).hasSize(8);
        assertThat(cycles.get(1).startNs() - cycles.get(0).startNs()).isEqualTo(2_500 * MS + 4 * FailoverLab.POLL_INTERVAL_NS);
    }

    @Test
    void shouldLeaveTheLastCycleTimeToSettle()
    {
        final Cycle cycle = only("kill", "leader", "1s", 1);
        assertThat(cluster.nowNs - SCHEDULE_START_NS - cycle.startNs())
            .isBetween(1_000 * MS + CycleTimeline.AFTER_NS, 1_200 * MS + CycleTimeline.AFTER_NS);
    }

    @Test
    void shouldDropACycleWithoutAFaultWhenTheEndIsRequested()
    {
        cluster.onPause = () ->
        {
            if (cluster.nowNs >= 1_600 * MS)
            {
                lab.requestEnd();
            }
        };
        assertThat(execute(plan(List.of("kill"), List.of("leader"), "auto", 5, false))).isEmpty();
        assertThat(cluster.members).allMatch((member) -> member.calls.isEmpty());
    }

    @Test
    void shouldRejectAPlanWithoutAnAllowedFault()
    {
        assertThatThrownBy(() -> PlannedFault.random(List.of(FaultSpec.parse("wipe")), List.of("all", "followers"), 1, 0))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--victim", "all", "wipe");
    }

    @Test
    void shouldParseWhenVictimsReturn()
    {
        assertThat(FailoverPlan.VictimReturn.parse("auto")).isEqualTo(new FailoverPlan.VictimReturn(true, 3_000 * MS));
        assertThat(FailoverPlan.VictimReturn.parse("5s")).isEqualTo(new FailoverPlan.VictimReturn(false, 5_000 * MS));
        assertThatThrownBy(() -> FailoverPlan.VictimReturn.parse("soon")).isInstanceOf(IllegalArgumentException.class);
    }
}
