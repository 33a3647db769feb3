package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifeTest extends LabFixture
{
    private static final long DURATION_NS = 400_000 * MS;
    private static final long RETAIN_NS = 50_000 * MS;

    private final LifePlan life = new LifePlan(
        DURATION_NS, RETAIN_NS, 4L << 30, new RolloutPlan(RolloutTest.OLD, RolloutTest.NEW, 3, false));

    @Test
    void shouldInjectEachFaultAtItsTimeAndKeepTheLoadUntilTheEnd()
    {
        final long beginNs = cluster.nowNs;

        final List<Cycle> cycles = live();

        assertThat(cycles).extracting((cycle) -> cycle.fault().toString() + " " + cycle.planned().victim()).containsExactly(
            "kill leader", "kill follower", "term next", "term next", "term next", "wipe follower", "kill leader");
        assertThat(cycles).allMatch(Cycle::isRecovered);
        for (final Cycle cycle : cycles)
        {
            assertThat(cycle.startNs() + SCHEDULE_START_NS - beginNs)
                .isBetween(life.beginNs(cycle.number()), life.beginNs(cycle.number()) + 60_000 * MS);
        }
        assertThat(cluster.nowNs - beginNs).isBetween(DURATION_NS, DURATION_NS + 100 * MS);
        assertThat(rollout.result().steps()).hasSize(3);
        assertThat(rolloutProblems).isEmpty();
        assertThat(lab.problems()).isEmpty();
    }

    @Test
    void shouldPurgeAtItsIntervalButNotWhileAFaultIsInEffect()
    {
        final List<Cycle> cycles = live();

        assertThat(lab.purges()).hasSize(8).allMatch((purge) -> purge.failure().isEmpty());
        for (final LifeResult.Purge purge : lab.purges())
        {
            assertThat(cycles).noneMatch((cycle) ->
                purge.beginNs() > cycle.startNs() && purge.beginNs() < cycle.startNs() + cycle.lastPhaseNs());
        }
        assertThat(result(cycles, 1).problems(cycles, false)).isEmpty();
    }

    @Test
    void shouldGiveOnlyTheMemberOfAStepAnotherJar()
    {
        live();

        assertThat(cluster.members).allSatisfy((member) ->
            assertThat(member.calls).filteredOn((call) -> call.startsWith("useJar")).hasSize(1));
        assertThat(cluster.members.stream().mapToLong((member) ->
            member.calls.stream().filter("kill"::equals).count()).sum()).as("three kills, and the wiped member").isEqualTo(4);
    }

    @Test
    void shouldFailIfTheDiskIsExceededOrSomethingDidNotHappen()
    {
        cluster.isRetainFailing = true;

        final List<Cycle> cycles = live();

        assertThat(result(cycles, (4L << 30) + 1).problems(cycles.subList(0, 2), false)).containsExactly(
            "members and backup had 4294967297 bytes on disk, more than --disk 4294967296",
            "only 2 of 7 planned faults and steps were injected",
            "no purge succeeded; the last: no leader to take a snapshot");
        assertThat(result(cycles, 1).problems(cycles.subList(0, 2), true)).isEmpty();
        assertThat(new LifeResult(life, List.of(), List.of(), 0).problems(cycles, false))
            .containsExactly("the disk use was not measured", "nothing was purged");
        assertThat(result(cycles, 1).warnings()).allMatch((warning) -> warning.endsWith("no leader to take a snapshot"));
    }

    @Test
    void shouldEndWithTheLoad()
    {
        cluster.onPause = () -> cluster.isLoadDone = cluster.nowNs > 30_000 * MS;

        assertThat(live()).isEmpty();
        assertThat(lab.problems()).containsExactly("the test ended early because the load had ended");
    }

    @Test
    void shouldRejectAnIntervalThatDoesNotFitTheDisk()
    {
        assertThatCode(() -> life.checkDisk(10_000, 288)).doesNotThrowAnyException();
        assertThatThrownBy(() -> new LifePlan(DURATION_NS, 12 * RETAIN_NS, 4L << 30, life.rollout()).checkDisk(10_000, 288))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--retain-every").hasMessageContaining("at most 123s with --disk 4096m");
        assertThatThrownBy(() -> new LifePlan(DURATION_NS, RETAIN_NS, 1 << 20, life.rollout()).checkDisk(10_000, 288))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("more than --disk 1m");
    }

    @Test
    void shouldWriteDiskAndPurgesIntoDocumentAndText(@TempDir final Path folder) throws IOException
    {
        final FailoverResult sample = SampleFailover.result(folder, 3, "");
        final FailoverResult result = new FailoverResult(
            FailoverPlan.of(life, 1, 0, 0), sample.cycles(), sample.timelines(), sample.outcome(), true, sample.audit(),
            sample.bounds(), null, Map.of(), new LifeResult(
            life, List.of(new LifeResult.Purge(5 * MS, 7 * MS, ""), new LifeResult.Purge(9 * MS, 10 * MS, "no leader")),
            List.of(new LifeResult.DiskSample(3 * MS, List.of(1L << 20, 2L << 20, 3L << 20), 4L << 20)), 10L << 20));

        final JsonNode document = Documents.parse(
            Documents.text(FailoverDocuments.of(result, SampleFailover.verdict(result), "java -jar x.jar", "out")));
        assertThat(document.at("/life/diskMostBytes").asLong()).isEqualTo(10 << 20);
        assertThat(document.at("/life/disk/0/memberBytes/2").asLong()).isEqualTo(3 << 20);
        assertThat(document.at("/life/purges/1/failure").asText()).isEqualTo("no leader");
        assertThat(FailoverText.text(result, SampleFailover.verdict(result), "out"))
            .contains("life, 400 s, 3 of 7 faults and steps")
            .contains("disk       at most 10 MiB of members and backup, of 4096 MiB allowed")
            .containsPattern("5.00 ms  snapshot and purge +2.00 ms").containsPattern("9.00 ms  purge failed +1.00 ms");
    }

    @Test
    void shouldNotShowWhatDidNotHappenAsIfItHad()
    {
        final PlannedFault kill = new PlannedFault(new FaultSpec(Fault.KILL), "leader", 0);
        final Cycle notInjected = new Cycle(
            1, kill, List.of(), Expectation.ONE_ELECTION, 5_000 * MS, false, false, false, "not settled", false, 0, 0, Map.of(),
            0, -1, -1, List.of(), null, List.of());
        final Cycle unrecovered = new Cycle(
            2, kill, List.of(1), Expectation.ONE_ELECTION, 9_000 * MS, true, false, false, "gone", false, 7_000 * MS, 0,
            Map.of(Cycle.OutagePhase.FAILURE_DETECTED, 300 * MS), 0, -1, -1, List.of(), null, List.of());

        assertThat(LifeText.text(new FailoverResult(
            FailoverPlan.of(life, 1, 0, 0), List.of(notInjected, unrecovered), List.of(), null, true, null,
            SampleFailover.BOUNDS, null, Map.of(), new LifeResult(life, List.of(), List.of(), 0))))
            .containsPattern("5.00 s  kill, not injected +- +-\\R")
            .containsPattern("9.00 s  kill of member 1 +7.00 s +-\\R");
    }

    private LifeResult result(final List<Cycle> cycles, final long mostBytes)
    {
        return new LifeResult(
            life, lab.purges(), List.of(new LifeResult.DiskSample(0, List.of(1L, 1L, 1L), 1)), mostBytes);
    }

    private List<Cycle> live()
    {
        return execute(FailoverPlan.of(life, 1, 100 * MS, LIMIT_NS));
    }
}
