package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.reporting.results.Cycle;

import org.junit.jupiter.api.Test;

/** Failures of members, hosts and the lab itself during a cycle: the cycle is kept, and injected faults are undone. */
class FaultCycleFailureTest extends LabFixture
{
    private long failingUntilNs = -1;

    @Test
    void shouldCountAnOutageFromTheFaultWhenNoEchoEverCame()
    {
        cluster.silence();
        final Cycle cycle = only("kill", "leader", "1s", 1);
        assertThat(cycle.isValid()).isFalse();
        assertThat(cycle.outageNs()).isBetween(LIMIT_NS, LIMIT_NS + 100 * MS);
        assertThat(cycle.phases()).doesNotContainKeys(Cycle.OutagePhase.LAST_ECHO, Cycle.OutagePhase.FIRST_ECHO);
    }

    @Test
    void shouldEndAnOutageWithTheFirstEchoThatEverCame()
    {
        cluster.silence();
        cluster.onPause = () -> cluster.isSilent = cluster.isSilent && cluster.members.get(0).isAlive;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.outageNs()).isBetween(400 * MS, 440 * MS);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO)).isEqualTo(cycle.outageNs());
        assertThat(cycle.phases()).doesNotContainKey(Cycle.OutagePhase.LAST_ECHO);
    }

    @Test
    void shouldCountRestartsOfEachMember()
    {
        cluster.members.get(1).deathCount = 3;
        cluster.members.get(2).deathCount = 3;
        final Cycle cycle = only("kill", "followers", "1s", 1);
        assertThat(cycle.problem()).isEmpty();
        assertThat(cycle.isRecovered()).isTrue();
    }

    @Test
    void shouldSayWhyAVictimEndedAgain()
    {
        cluster.members.get(1).isDyingAtOnce = true;
        cluster.onPause = () ->
        {
            if (cluster.members.get(1).calls.contains("start"))
            {
                cluster.members.get(1).failing.add("start");
            }
        };
        assertThat(only("kill", "1", "1s", 1).problem())
            .isEqualTo("member 1 exited again after 3 restarts: member 1 refuses to start");
    }

    @Test
    void shouldNotUndoWhatWasNotInjected()
    {
        cluster.members.get(0).failing.add("kill");
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.problem()).isEqualTo("the fault was not injected: member 0 refuses to kill");
        assertThat(cycle.isValid()).isFalse();
        assertThat(cluster.members.get(0).calls).isEmpty();
    }

    @Test
    void shouldAwaitTheExitOfAVictimBeforeItUndoesHalfAFault()
    {
        cluster.members.get(1).lingeringNs = 2_000 * MS;
        cluster.members.get(2).failing.add("kill");
        final Cycle cycle = only("kill", "followers", "auto", 1);
        assertThat(cycle.problem()).isEqualTo("the fault was not injected: member 2 refuses to kill");
        assertThat(cluster.members.get(1).calls).containsExactly("kill", "cleanUp", "start");
    }

    @Test
    void shouldRestartAVictimWhoseKillSeemedToFail()
    {
        final FakeMember victim = cluster.members.get(0);
        cluster.onPause = () ->
        {
            if (cluster.nowNs >= 2_000 * MS && !victim.failing.contains("kill"))
            {
                victim.failing.add("kill");
                victim.isAlive = false;
            }
        };
        final Cycle cycle = only("kill", "0", "auto", 1);
        assertThat(cycle.problem()).isEqualTo("the fault was not injected: member 0 refuses to kill");
        assertThat(victim.calls).containsExactly("cleanUp", "start");
    }

    @Test
    void shouldKillTheOtherVictimsWhenOneCannotBeKilled()
    {
        cluster.members.get(1).isImmortal = true;
        cluster.members.get(2).isImmortal = true;
        cluster.onPause = () ->
        {
            if (!cluster.members.get(1).calls.isEmpty())
            {
                cluster.members.get(1).failing.add("kill");
            }
        };
        final Cycle cycle = only("kill", "followers", "1s", 1);
        assertThat(cycle.problem()).contains("member 1 could not be killed: member 1 refuses to kill");
        assertThat(cluster.members.get(2).calls).containsExactly("kill", "kill", "cleanUp", "start");
    }

    @Test
    void shouldWaitForAFaultToTakeEffectThoughItsHostDoesNotAnswerAtOnce()
    {
        final FakeMember victim = cluster.members.get(0);
        cluster.onPause = () -> failFor(victim, "isAlive", "kill", 1_000 * MS);
        final Cycle cycle = only("kill", "all", "auto", 1);
        assertThat(cycle.problem()).isEmpty();
        assertThat(cycle.isRecovered()).isTrue();
    }

    @Test
    void shouldGiveUpAFaultThatDoesNotTakeEffect()
    {
        cluster.members.forEach((member) -> member.isImmortal = true);
        final Cycle cycle = only("kill", "all", "auto", 1);
        assertThat(cycle.problem()).startsWith(
            "the fault did not take effect within --limit 20.0 s; member 0 did not exit within 30 s");
        assertThat(cluster.members).allMatch((member) -> member.isAlive);
    }

    @Test
    void shouldWaitForAVictimThatDoesNotAnswerAtOnce()
    {
        cluster.onPause = () -> failFor(cluster.members.get(0), "counters", "start", 2_000 * MS);
        final Cycle cycle = only("kill", "leader", "1s", 1);
        assertThat(cycle.problem()).isEmpty();
        assertThat(cycle.phaseNs(Cycle.OutagePhase.VICTIM_CAUGHT_UP)).isGreaterThanOrEqualTo(3_000 * MS);
    }

    @Test
    void shouldReportAVictimThatDidNotAnswerWithinTheLimit()
    {
        cluster.onPause = () -> failFor(cluster.members.get(0), "counters", "start", 10 * LIMIT_NS);
        assertThat(only("kill", "leader", "1s", 1).problem())
            .isEqualTo("no answer within --limit 20.0 s: member 0 refuses to counters");
    }

    @Test
    void shouldReturnAVictimWithoutWhichThereIsNoRecovery()
    {
        cluster.electionNs = 10 * LIMIT_NS;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isBetween(LIMIT_NS / 2, LIMIT_NS / 2 + 40 * MS);
        assertThat(cycle.problem()).isEqualTo("echoes did not resume within --limit 20.0 s");
    }

    @Test
    void shouldUndoNothingTwiceWhenTheEndIsRequestedAfterTheReturn()
    {
        cluster.electionNs = 8_000 * MS;
        requestEndAfter("start");
        final Cycle cycle = only("kill", "leader", "1s", 1);
        assertThat(cycle.isInterrupted()).isTrue();
        assertThat(cycle.problem()).isEqualTo("interrupted before recovery");
        assertThat(cluster.members.get(0).calls).containsExactly("kill", "cleanUp", "start");
    }

    @Test
    void shouldStillAwaitAnExitWhenTheEndIsRequestedMeanwhile()
    {
        cluster.members.get(1).lingeringNs = 5_000 * MS;
        requestEndAfter("kill");
        final Cycle cycle = only("kill", "1", "1s", 1);
        assertThat(cycle.problem()).isEqualTo("interrupted before recovery");
        assertThat(cluster.members.get(1).calls).containsExactly("kill", "cleanUp", "start");
    }

    @Test
    void shouldKeepAnInterruptedCycleOfAMemberOfWhichNothingIsKnown()
    {
        cluster.members.get(0).broken.add("isAlive");
        requestEndAfter("kill");
        final Cycle cycle = only("kill", "leader", "10s", 1);
        assertThat(cycle.problem()).startsWith("interrupted before recovery");
        assertThat(cluster.members.get(0).calls).contains("start");
        assertThat(lab.problems()).isEmpty();
    }

    @Test
    void shouldKeepACycleAfterWhichNoLeaderCanBeNamed()
    {
        cluster.onPause = () -> cluster.isLeaderBroken = cluster.members.get(0).calls.contains("start");
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.isRecovered()).isTrue();
        assertThat(cycle.leaderAfter()).isEqualTo(-1);
    }

    @Test
    void shouldKeepACycleOfWhichNoElectionsAreKnown()
    {
        cluster.isHistoryBroken = true;
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.isRecovered()).isTrue();
        assertThat(cycle.problem()).isEqualTo("the elections of the cycle are unknown: nothing was noted");
    }

    @Test
    void shouldReportThatElectionsCannotBeWatched()
    {
        cluster.isWatchBroken = true;
        assertThat(execute(plan(List.of("kill"), List.of("leader"), "auto", 1, false))).isEmpty();
        assertThat(lab.problems()).singleElement().asString().contains("ended early", "nothing can be watched");
    }

    @Test
    void shouldKeepTheCycleDuringWhichTheLabItselfFails()
    {
        cluster.onPause = () ->
        {
            if (!cluster.members.get(0).calls.isEmpty())
            {
                throw new IllegalStateException("no time passes any more");
            }
        };
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.isRecovered()).isFalse();
        assertThat(cluster.members.get(0).calls).containsExactly("kill", "cleanUp", "start");
        assertThat(cluster.restoreCount).isEqualTo(1);
        assertThat(lab.problems()).singleElement().asString().contains("ended early", "no time passes any more");
    }

    @Test
    void shouldKillTheLeaderAtTheTimeOfTheFaultAndNotThatOfASecondBefore()
    {
        cluster.onPause = () ->
        {
            if (1_600 * MS == cluster.nowNs)
            {
                cluster.leaderId = 2;
            }
        };
        final Cycle cycle = only("kill", "leader", "auto", 1);
        assertThat(cycle.victims()).containsExactly(2);
        assertThat(cycle.leaderBefore()).isEqualTo(2);
        assertThat(cycle.outageNs()).isBetween(400 * MS, 440 * MS);
        assertThat(cluster.members.get(0).calls).isEmpty();
    }

    @Test
    void shouldInjectNothingWhileLeadersChangeAllTheTime()
    {
        cluster.onPause = () -> cluster.leaderId = (int)(cluster.nowNs / FailoverLab.POLL_INTERVAL_NS % 3);
        final Cycle cycle = execute(plan(List.of("kill"), List.of("leader"), "auto", 1, true)).get(0);
        assertThat(cycle.isInjected()).isFalse();
        assertThat(cycle.problem()).isEqualTo(
            "not all members were in a settled term within --limit 20.0 s, so no fault was injected");
        assertThat(cluster.snapshotCount).isEqualTo(1);
    }

    @Test
    void shouldNeverChooseAFaultThatIsNotAllowed()
    {
        final List<Cycle> cycles = execute(new FailoverPlan(
            20, 0,
            PlannedFault.random(
                List.of(FaultSpec.parse("wipe"), FaultSpec.parse("kill")), List.of("all", "leader"), 3, 0),
            100 * MS, FailoverPlan.VictimReturn.parse("1s"), LIMIT_NS, false, false, 0, null, null));
        assertThat(cycles).hasSize(20);
        assertThat(cycles).filteredOn((cycle) -> "wipe".equals(cycle.hit().fault())).hasSizeGreaterThan(2)
            .allMatch((cycle) -> 1 == cycle.victims().size());
        assertThat(cycles).filteredOn((cycle) -> 3 == cycle.victims().size()).isNotEmpty();
    }

    /** Make a call fail for a time after another call. */
    private void failFor(final FakeMember member, final String method, final String call, final long timeNs)
    {
        if (!member.calls.contains(call))
        {
            return;
        }
        if (failingUntilNs < 0)
        {
            failingUntilNs = cluster.nowNs + timeNs;
            member.failing.add(method);
        }
        if (cluster.nowNs >= failingUntilNs)
        {
            member.failing.clear();
        }
    }

    private void requestEndAfter(final String call)
    {
        cluster.onPause = () ->
        {
            if (cluster.members.stream().anyMatch((member) -> member.calls.contains(call)))
            {
                lab.requestEnd();
            }
        };
    }
}
