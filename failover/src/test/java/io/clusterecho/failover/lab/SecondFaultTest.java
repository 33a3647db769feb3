package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.reporting.document.Documents;

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
        assertThat(ended.secondHit().victims()).containsExactly(2);
        assertThat(ended.secondHit().afterNs()).isBetween(500 * MS, 600 * MS);
        assertThat(ended.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED)).as("the last return").isBetween(1_500 * MS, 1_700 * MS);
    }

    @Test
    void shouldWaitUntilTheFirstFaultNoLongerAffectsItsVictim()
    {
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "0", 0), new PlannedFault(FaultSpec.parse("kill"), "0", 0), 100);

        assertThat(ended.isRecovered()).as("%s", ended.problem()).isTrue();
        assertThat(ended.secondHit().afterNs()).isGreaterThan(1_000 * MS);
        assertThat(cluster.members.get(0).calls).containsExactly("kill", "cleanUp", "start", "kill", "cleanUp", "start");
    }

    @Test
    void shouldHitAnyOtherMemberDuringAnElection()
    {
        cluster.electionNs = 800 * MS;
        final Cycle ended = cycle(
            new PlannedFault(FaultSpec.parse("kill"), "leader", 0), new PlannedFault(FaultSpec.parse("kill"), "leader", 1), 300);

        assertThat(ended.secondHit().afterNs()).isBetween(300 * MS, 400 * MS);
        assertThat(ended.secondHit().victims()).containsExactly(2);
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

    @Test
    void shouldExpectTheWorseOfTwoGrayFaults()
    {
        final PlannedFault slow = new PlannedFault(FaultSpec.parse("link-delay:200ms"), "follower", 0);
        final PlannedFault lossy = new PlannedFault(FaultSpec.parse("link-loss"), "follower", 0);
        assertThat(lossy.with(new PlannedFault.Second(slow, 0)).expectation(false, false)).isEqualTo(Expectation.ONE_ELECTION);
        assertThat(lossy.with(new PlannedFault.Second(lossy, 0)).expectation(false, false)).isEqualTo(Expectation.LEADER_STAYS);
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
    void shouldBeStoredAndReplayed() throws IOException
    {
        final FailoverResult sample = SampleFailover.result(folder, 1, "");
        final PlannedFault planned = new PlannedFault(FaultSpec.parse("kill"), "leader", 0).with(
            new PlannedFault.Second(new PlannedFault(FaultSpec.parse("link-loss:5%"), "follower", 3), 7));
        final Cycle known = sample.cycles().get(0);
        final Cycle both = new Cycle(
            1, planned, List.of(0), Expectation.NO_QUORUM, known.startNs(), true, true, false, "", false, 5, 5, known.phases(), 0,
            0, 1, List.of(), new Cycle.SecondHit(List.of(1), 9));
        final FailoverResult result = new FailoverResult(
            sample.plan(), List.of(both), List.of(), sample.outcome(), true, sample.audit(), sample.bounds());
        Files.writeString(
            folder.resolve("failover.json"), Documents.text(
                FailoverDocuments.of(result, SampleFailover.verdict(sample), "load-client.jar chaos", folder.toString())));

        assertThat(StoredFaults.read(folder)).containsExactly(planned);
        assertThat(FailoverText.line(both)).contains("kill member 0 (leader), after 9.00 ns link-loss:5% member 1");
    }

    private Cycle cycle(final PlannedFault first, final PlannedFault second, final long afterMs)
    {
        final List<Cycle> cycles = execute(new FailoverPlan(
            1, 0, FaultSequence.of(List.of(first.with(new PlannedFault.Second(second, afterMs * MS)))), 100 * MS,
            VictimReturn.parse("1s"), LIMIT_NS, false, null));
        assertThat(cycles).hasSize(1);
        return cycles.get(0);
    }
}
