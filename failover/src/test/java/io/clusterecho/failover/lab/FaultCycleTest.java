package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.aeron.cluster.ElectionState;

import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.failover.lab.Fault.Trait;
import io.clusterecho.reporting.results.Cycle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times at which a cycle advances, on a clock that advances by one poll interval at a time. */
class FaultCycleTest
{
    private static final Fault HICCUP =
        new Fault(
            "hiccup", Set.of(Trait.ACKNOWLEDGES),
            (member, with) ->
            {
                member.pause();
                member.resume();
            },
            (member, with) -> { });

    private static final long LIMIT_NS = 20_000 * MS;
    private static final long POLL_NS = FailoverLab.POLL_INTERVAL_NS;
    private static final long START_NS = 400 * MS;

    private final FakeCluster cluster = new FakeCluster();
    private final long beginNs = cluster.nowNs;
    private final Semaphore mayPoll = new Semaphore(0);
    private final Semaphore isPaused = new Semaphore(0);
    private FailoverLab lab;
    private FaultCycle cycle;
    /** Runs the cycle, from one pause to the next. */
    private Future<?> run;
    private boolean isEnded;

    @Test
    void shouldInjectAfterASecondOfTraffic()
    {
        cluster.answered = 1_000_000;
        begin("kill", "1s", 0);
        untilInjected();
        assertThat(cluster.nowNs - beginNs).isEqualTo(1_000 * MS);
        assertThat(end().startNs()).isEqualTo(beginNs + 1_000 * MS - START_NS);
    }

    @Test
    void shouldInjectAfterTheFirstSecondInWhichFourFifthsFlowed()
    {
        cluster.flow = 0;
        cluster.onPause = () -> cluster.flow = cluster.nowNs - beginNs < 3_000 * MS ? 0 : 0.8;
        begin("kill", "1s", 0);
        untilInjected();
        assertThat(cluster.nowNs - beginNs).isEqualTo(4_000 * MS);
        assertThat(end().isValid()).isTrue();
    }

    @Test
    void shouldInjectAtTheLimitWhateverFlowed()
    {
        cluster.flow = 0.5;
        begin("kill", "1s", 0);
        untilInjected();
        assertThat(cluster.nowNs - beginNs).isEqualTo(LIMIT_NS);
        assertThat(end().isValid()).isFalse();
    }

    @Test
    void shouldWaitForASettledClusterUpToTheLimit()
    {
        cluster.isNeverSettled = true;
        begin("kill", "1s", 0);
        final Cycle ended = end();
        assertThat(cluster.nowNs - beginNs).isEqualTo(LIMIT_NS);
        assertThat(ended.startNs()).isEqualTo(cluster.nowNs - START_NS);
        assertThat(ended.problem()).isNotEmpty();
    }

    @Test
    void shouldRestartVictimsThatEndOnTheirReturnThoughThereIsNoQuorum()
    {
        begin("kill", "4s", 0, 1, 2);
        untilInjected();
        final long faultNs = cluster.nowNs;
        cluster.electionNs = 1;
        cluster.members.forEach((member) -> member.deathCount = 1);
        final Cycle ended = end();
        assertThat(ended.isRecovered()).as(ended.problem()).isTrue();
        assertThat(cluster.nowNs - faultNs).isEqualTo(4_000 * MS + 5 * POLL_NS);
    }

    @Test
    void shouldAllowEchoesAgainAsSoonAsVictimsReturn()
    {
        begin("kill", "1s", 0, 1, 2);
        while (!cluster.members.get(0).calls.contains("start"))
        {
            step();
        }
        assertThat(cluster.quorumLost).hasSize(2).endsWith(Long.MAX_VALUE);
    }

    @Test
    void shouldGiveAFaultTheLimitToTakeEffect()
    {
        cluster.members.forEach((member) -> member.isImmortal = true);
        begin("kill", "1s", 0, 1, 2);
        untilInjected();
        final long faultNs = cluster.nowNs;
        while (cluster.members.get(0).calls.size() < 2)
        {
            step();
        }
        // Then 30 s for the exit; one poll has passed since the kill.
        assertThat(cluster.nowNs - faultNs).isEqualTo(LIMIT_NS + 30_000 * MS + POLL_NS);
    }

    @Test
    void shouldReturnVictimsOnTime()
    {
        begin("kill", "2s", 0);
        assertThat(end().phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isEqualTo(2_000 * MS + POLL_NS);
    }

    @Test
    void shouldReturnVictimsAtHalfTheLimitWithoutARecovery()
    {
        cluster.electionNs = 2 * LIMIT_NS;
        begin("kill", "auto", 0);
        assertThat(end().phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isEqualTo(LIMIT_NS / 2 + POLL_NS);
    }

    @Test
    void shouldTakeEchoesForTrafficASecondAfterTheFault()
    {
        begin(FaultSpec.parse("kill"), new FailoverPlan.VictimReturn(true, 0), 1);
        assertThat(end().phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isEqualTo(1_000 * MS + 2 * POLL_NS);
    }

    @ParameterizedTest
    @CsvSource({ "100, 1040", "120, 10020" })
    void shouldTakeAnEchoOfATenthOfASecondAgoForTraffic(final long agoMs, final long returnedMs)
    {
        begin(FaultSpec.parse("kill"), new FailoverPlan.VictimReturn(true, 0), 1);
        untilInjected();
        final long lastEchoNs = cluster.nowNs + 1_000 * MS + POLL_NS - agoMs * MS;
        cluster.onPause = () -> cluster.isSilent = cluster.nowNs >= lastEchoNs;
        assertThat(end().phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isEqualTo(returnedMs * MS);
    }

    @Test
    void shouldCountEchoesWithoutAQuorumOnlyOnceVictimsReturned()
    {
        begin("partition-clients", "2s", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        assertThat(end().isRecovered()).isTrue();
        // Returned, an echo after that, settled and caught up, drained: one poll each.
        assertThat(cluster.nowNs - faultNs).isEqualTo(2_000 * MS + 4 * POLL_NS);
    }

    @Test
    void shouldTellAVictimInTheQuorumFromOneThatCaughtUp()
    {
        final FakeMember victim = cluster.members.get(1);
        begin("kill", "1s", 1);
        untilInjected();
        cluster.onPause = () ->
        {
            final boolean isBack = victim.calls.contains("start");
            cluster.members.get(0).commitPosition = isBack ? 500 : 100;
            victim.commitPosition = cluster.nowNs - beginNs < 6_000 * MS ? 100 : 500;
        };
        final Cycle ended = end();
        assertThat(ended.phaseNs(Cycle.OutagePhase.VICTIM_IN_QUORUM)).isEqualTo(1_000 * MS + 3 * POLL_NS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.VICTIM_CAUGHT_UP)).isEqualTo(5_000 * MS + POLL_NS);
    }

    @Test
    void shouldReturnVictimsThoughTheyCannotBeKilled()
    {
        cluster.members.get(0).lingeringNs = 60_000 * MS;
        begin("kill", "1s", 0);
        assertThat(end().phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isEqualTo(1_000 * MS + 40_000 * MS);
    }

    @Test
    void shouldNotWaitLongerForAnExitWhenItIsInterrupted()
    {
        cluster.members.get(0).isImmortal = true;
        begin("kill", "1s", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        while (cluster.nowNs - faultNs < 20_000 * MS)
        {
            step();
        }
        lab.requestEnd();
        assertThat(end().phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).isEqualTo(31_000 * MS + POLL_NS);
    }

    @Test
    void shouldEndAtTheLimitWithoutEchoes()
    {
        cluster.isSilentAfterFault = true;
        begin("kill", "1s", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        final Cycle ended = end();
        assertThat(cluster.nowNs - faultNs).isEqualTo(LIMIT_NS);
        assertThat(ended.outageNs()).isEqualTo(LIMIT_NS);
        assertThat(ended.outageResolutionNs()).isEqualTo(1);
        assertThat(ended.phaseNs(Cycle.OutagePhase.LAST_ECHO)).isZero();
    }

    @Test
    void shouldEndAtTheLimitWithoutTheVictim()
    {
        cluster.members.get(0).commitPosition = 1;
        begin("kill", "1s", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        assertThat(end().isRecovered()).isFalse();
        assertThat(cluster.nowNs - faultNs).isEqualTo(LIMIT_NS);
    }

    @Test
    void shouldEndAtTheLimitWithABacklog()
    {
        cluster.isBacklogStuck = true;
        begin("kill", "1s", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        assertThat(end().isRecovered()).isFalse();
        assertThat(cluster.nowNs - faultNs).isEqualTo(LIMIT_NS);
    }

    @Test
    void shouldEndAtTheLimitWithoutAnAnswer()
    {
        begin("kill", "1s", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        cluster.onPause = () -> cluster.members.get(0).failing.add("counters");
        assertThat(end().problem()).startsWith("no answer within --limit 20.0 s");
        assertThat(cluster.nowNs - faultNs).isEqualTo(LIMIT_NS);
    }

    @Test
    void shouldRecoverWithMembersThatHaveCommittedNothing()
    {
        cluster.members.forEach((member) -> member.commitPosition = 0);
        begin("kill", "1s", 1);
        final Cycle ended = end();
        assertThat(ended.isRecovered()).as(ended.problem()).isTrue();
    }

    @Test
    void shouldRecoverOnceWhatWasDueWhenEchoesCameBackIsAnswered()
    {
        begin("kill", "1s", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        final Cycle ended = end();
        assertThat(ended.isRecovered()).isTrue();
        // Returned, running again, settled and caught up, drained: one poll each.
        assertThat(cluster.nowNs - faultNs).isEqualTo(1_000 * MS + 4 * POLL_NS);
    }

    @Test
    void shouldReadTheElectionFromTheMembersCounters()
    {
        begin("kill", "auto", 0);
        untilInjected();
        final long faultNs = cluster.nowNs;
        note(faultNs - 1, 1, ElectionState.CLOSED, ElectionState.CANVASS, false);
        note(faultNs + 100 * MS, 1, ElectionState.CLOSED, ElectionState.CANVASS, false);
        note(faultNs + 110 * MS, 1, ElectionState.CANVASS, ElectionState.NOMINATE, false);
        note(faultNs + 130 * MS, 1, ElectionState.LEADER_READY, ElectionState.CLOSED, true);
        note(faultNs + 900 * MS, 0, ElectionState.INIT, ElectionState.CLOSED, true);
        final Cycle ended = end();
        assertThat(ended.phaseNs(Cycle.OutagePhase.FAILURE_DETECTED)).isEqualTo(100 * MS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.ELECTION_START)).isEqualTo(110 * MS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.ELECTION_END)).isEqualTo(130 * MS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.NEW_LEADER_KNOWN)).isEqualTo(400 * MS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.SESSION_USABLE)).isEqualTo(400 * MS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.LAST_ECHO)).isZero();
        assertThat(ended.phaseNs(Cycle.OutagePhase.FIRST_ECHO)).isEqualTo(400 * MS);
    }

    @Test
    void shouldCountOnlyItsOwnEchoesWithoutAQuorum()
    {
        cluster.echoesWithoutQuorum = 5;
        begin("kill", "1s", 0, 1, 2);
        untilInjected();
        cluster.echoesWithoutQuorum = 7;
        assertThat(end().echoesWithoutQuorum()).isEqualTo(2);
    }

    @Test
    void shouldCutThePowerOnceAllVictimsAreKilled()
    {
        cluster.members.get(0).failing.add("disk");
        begin("power-loss", "1s", 0, 1, 2);
        final Cycle ended = end();
        assertThat(cluster.members).allSatisfy((member) -> assertThat(member.calls).startsWith("kill"));
        assertThat(ended.problem()).contains("the fault was not injected: member 0 refuses to disk");
    }

    @Test
    void shouldRestartAfterAPowerLoss()
    {
        begin("power-loss", "1s", 0, 1, 2);
        assertThat(end().isRecovered()).isTrue();
        assertThat(cluster.members).allSatisfy(
            (member) -> assertThat(member.calls).containsExactly("kill", "LOSE_POWER", "CHECK", "cleanUp", "start"));
        assertThat(cluster.quorumLost).anyMatch((ns) -> ns != Long.MAX_VALUE);
    }

    @Test
    void shouldNotRestartAMemberWithoutItsDisk()
    {
        begin("power-loss", "1s", 0);
        untilInjected();
        cluster.members.get(0).failing.add("disk");
        assertThat(end().problem()).contains("member 0 did not return: member 0 refuses to disk");
        assertThat(cluster.members.get(0).calls).doesNotContain("cleanUp");
    }

    @Test
    void shouldLetAMemberWithAFullDiskAcknowledgeWhatStillFits()
    {
        begin("disk-full", "1s", 0, 1, 2);
        assertThat(end().isRecovered()).isTrue();
        assertThat(cluster.members).allSatisfy((member) -> assertThat(member.calls).containsExactly("FILL", "FREE"));
        assertThat(cluster.quorumLost).containsOnly(Long.MAX_VALUE);
    }

    @Test
    void shouldStartAVictimAgainThatEndsWhileItCatchesUp()
    {
        final FakeMember victim = cluster.members.get(1);
        victim.commitPosition = 1;
        begin("pause", "1s", 1);
        untilInjected();
        while (cluster.nowNs - beginNs < 5_000 * MS)
        {
            step();
        }
        // It has returned, and the others wait for its commits.
        victim.isAlive = false;
        victim.commitPosition = 100;
        assertThat(end().isRecovered()).isTrue();
        assertThat(victim.calls).containsSubsequence("pause", "resume", "start");
    }

    @Test
    void shouldCountAStalledDiskAsALostMember()
    {
        begin("disk-stall", "1s", 0, 1, 2);
        assertThat(end().isRecovered()).isTrue();
        assertThat(cluster.members).allSatisfy((member) -> assertThat(member.calls).containsExactly("STALL", "RESUME"));
        assertThat(cluster.quorumLost).anyMatch((ns) -> ns != Long.MAX_VALUE);
    }

    @Test
    void shouldChangeSystemCallsAndReleaseThem()
    {
        begin("slow-disk", "1s", 1);
        assertThat(end().isRecovered()).isTrue();
        assertThat(cluster.members.get(1).calls).containsExactly(
            "calls CallFault[kind=SLOW_WRITE, amount=10000000]", "calls CallFault[kind=SLOW_SYNC, amount=10000000]",
            "releaseCalls");
    }

    @Test
    void shouldRestartAMemberThatCouldNotSync()
    {
        begin("sync-error", "2s", 0);
        untilInjected();
        cluster.members.get(0).isAlive = false;
        assertThat(end().isRecovered()).isTrue();
        assertThat(cluster.members.get(0).calls).containsSubsequence("releaseCalls", "start");
    }

    @Test
    void shouldKillAgainAfterTheRestart()
    {
        begin(FaultSpec.parse("kill-again:0s"), "1s", 0);
        final Cycle ended = end();
        assertThat(ended.isRecovered()).isTrue();
        assertThat(ended.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).as("after the second restart")
            .isEqualTo(1_000 * MS + 2 * POLL_NS);
        assertThat(cluster.members.get(0).calls).containsExactly(
            "kill", "cleanUp", "start", "kill", "cleanUp", "start");
    }

    @Test
    void shouldRequestASnapshotBeforeItKills()
    {
        begin(FaultSpec.parse("kill-in-snapshot:60ms"), "1s", 0, 1, 2);
        final Cycle ended = end();
        assertThat(ended.isRecovered()).isTrue();
        assertThat(ended.phaseNs(Cycle.OutagePhase.LAST_ECHO)).as("the fault is after the wait").isLessThanOrEqualTo(-60 * MS);
        assertThat(ended.phases()).containsKey(Cycle.OutagePhase.BACKLOG_DRAINED);
        assertThat(cluster.snapshotCount).isEqualTo(1);
        assertThat(cluster.members.get(1).calls).containsExactly("kill", "cleanUp", "start");
    }

    @Test
    void shouldPauseAndResumeAtOnce()
    {
        begin(new FaultSpec(HICCUP, ""), "1s", 0);
        assertThat(end().isRecovered()).isTrue();
        assertThat(cluster.members.get(0).calls).containsExactly("pause", "resume");
    }

    /** The example of docs/HACKING.md is that of this test. */
    @Test
    void shouldCompileTheExampleOfTheGuide() throws IOException
    {
        final String guide = Files.readString(Path.of("../docs/HACKING.md"));
        final String example = guide.substring(guide.indexOf("### Example: a fault"), guide.indexOf("`FaultCycleTest` checks"));
        final String source = Files.readString(Path.of("src/test/java/io/clusterecho/failover/lab/FaultCycleTest.java"));
        assertThat(source.replaceAll("\\s+", " ")).contains(
            code(example).replaceFirst("^//.*?(?=new Fault)", "").replaceFirst(",$", ";"),
            code(guide.substring(guide.indexOf("`FaultCycleTest` checks"), guide.indexOf("The lab asks"))));
    }

    private static String code(final String text)
    {
        return text.lines().filter((line) -> line.startsWith("    ")).collect(Collectors.joining(" "))
            .replaceAll("\\s+", " ").strip();
    }

    private void begin(final String fault, final String returnAfter, final int... victims)
    {
        begin(FaultSpec.parse(fault), returnAfter, victims);
    }

    private void begin(final FaultSpec spec, final String returnAfter, final int... victims)
    {
        begin(spec, FailoverPlan.VictimReturn.parse(returnAfter), victims);
    }

    private void begin(final FaultSpec spec, final FailoverPlan.VictimReturn victimReturn, final int... victims)
    {
        final FailoverPlan plan = new FailoverPlan(
            1, 0, (number) -> new PlannedFault(spec, victim(victims), 0), 0,
            victimReturn, LIMIT_NS, false, false, 0, null, null);
        lab = new FailoverLab(
            plan, cluster, null, cluster, START_NS, FakeCluster.RATE, cluster, (ended, soFar) -> { });
        cycle = new FaultCycle(lab, cluster.watchElections(), 1);
        cluster.onPark = this::awaitStep;
        final FutureTask<Void> task = new FutureTask<>(this::runCycle, null);
        run = task;
        final Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private void runCycle()
    {
        acquire(mayPoll);
        try
        {
            cycle.run();
        }
        finally
        {
            isEnded = true;
            isPaused.release();
        }
    }

    private void awaitStep()
    {
        isPaused.release();
        acquire(mayPoll);
    }

    private static void acquire(final Semaphore permits)
    {
        try
        {
            assertThat(permits.tryAcquire(60, TimeUnit.SECONDS)).as("the other thread continues").isTrue();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private String victim(final int... memberIds)
    {
        return 1 == memberIds.length ? String.valueOf(memberIds[0]) :
            cluster.members().size() == memberIds.length ? "all" : "followers";
    }

    /** Run the cycle up to its next pause; false if it has ended. */
    private boolean poll()
    {
        mayPoll.release();
        acquire(isPaused);
        if (isEnded)
        {
            assertThatCode(run::get).doesNotThrowAnyException();
        }
        return !isEnded;
    }

    private boolean step()
    {
        final boolean isOn = poll();
        if (isOn)
        {
            cluster.pause();
        }
        return isOn;
    }

    private void untilInjected()
    {
        while (!cycle.isInjected())
        {
            assertThat(poll()).isTrue();
            if (!cycle.isInjected())
            {
                cluster.pause();
            }
        }
    }

    private Cycle end()
    {
        boolean isOn = true;
        while (isOn)
        {
            isOn = step();
        }
        return cycle.result(cluster.nowNs);
    }

    private void note(
        final long timeNs, final int memberId, final ElectionState before, final ElectionState after, final boolean isLeader)
    {
        cluster.changes.add(new ElectionWatch.Change(timeNs, memberId, before.code(), after.code(), isLeader));
    }
}
