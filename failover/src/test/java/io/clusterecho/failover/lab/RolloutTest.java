package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.control.member.NodeJar;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;

import org.junit.jupiter.api.Test;

class RolloutTest extends LabFixture
{
    static final NodeJar OLD =
        new NodeJar(Path.of("/1.0/cluster-node.jar"), new MemberVersion("1.0", "c0ffee", "1.51.0"));
    static final NodeJar NEW =
        new NodeJar(Path.of("/2.0/cluster-node.jar"), new MemberVersion("2.0", "c0ffee", "1.51.0"));

    @Test
    void shouldReplaceTheFollowersFirstAndTheLeaderLast()
    {
        final List<Cycle> cycles = rollOut(false);

        assertThat(cycles).extracting(Cycle::victims).containsExactly(List.of(1), List.of(2), List.of(0));
        assertThat(cycles).allMatch(Cycle::isRecovered).allMatch(Cycle::isValid);
        assertThat(cycles).extracting(Cycle::expectation).containsExactly(
            Expectation.LEADER_STAYS, Expectation.LEADER_STAYS, Expectation.ONE_ELECTION);
        assertThat(cluster.members).allSatisfy((member) -> assertThat(member.calls)
            .containsExactly("terminate", "useJar /2.0/cluster-node.jar", "cleanUp", "start"));
        assertThat(cluster.snapshotCount).isEqualTo(3);
        assertThat(rolloutProblems).isEmpty();
        assertThat(lab.problems()).isEmpty();
    }

    @Test
    void shouldKeepTheVersionsOfEachStepAndTheTimeToLoadItsSnapshot()
    {
        final List<Cycle> cycles = rollOut(false);

        final long outageNs = cycles.stream().mapToLong(Cycle::outageNs).sum();
        assertThat(rollout.result(cycles).outageNs()).isEqualTo(outageNs).isPositive();
        assertThat(rollout.result(cycles.subList(0, 1)).outageNs()).isEqualTo(cycles.get(0).outageNs());
        assertThat(rollout.result(cycles).steps()).containsExactly(
            new FailoverDocument.Step(1, 1, false, stored(OLD), stored(NEW), stored(NEW), 5 * MS),
            new FailoverDocument.Step(2, 2, false, stored(OLD), stored(NEW), stored(NEW), 5 * MS),
            new FailoverDocument.Step(3, 0, true, stored(OLD), stored(NEW), stored(NEW), 5 * MS));
    }

    @Test
    void shouldReturnToTheFirstVersionInTheSameOrder()
    {
        final List<Cycle> cycles = rollOut(true);

        // Member 1 leads since the third step.
        assertThat(cycles).extracting(Cycle::victims).containsExactly(
            List.of(1), List.of(2), List.of(0), List.of(0), List.of(2), List.of(1));
        assertThat(cluster.members).allSatisfy((member) ->
            assertThat(member.calls).filteredOn((call) -> call.startsWith("useJar"))
                .containsExactly("useJar /2.0/cluster-node.jar", "useJar /1.0/cluster-node.jar"));
        assertThat(rollout.result(List.of()).steps().get(5).running()).isEqualTo(stored(OLD));
        assertThat(rolloutProblems).isEmpty();
    }

    @Test
    void shouldReplaceTheMemberThatLeadsByThenLast()
    {
        cluster.onPause = () ->
        {
            if (1 == kept.size())
            {
                cluster.leaderId = 2;
            }
        };

        assertThat(rollOut(false)).extracting(Cycle::victims).containsExactly(List.of(1), List.of(0), List.of(2));
    }

    @Test
    void shouldStopAtAMemberThatDoesNotStartAndLeaveTheOthersAlone()
    {
        cluster.members.get(1).failingJar = NEW.path();

        final List<Cycle> cycles = rollOut(false);

        assertThat(cycles).hasSize(1);
        assertThat(cycles.get(0).problem()).isEqualTo("member 1 exited again after 3 restarts");
        assertThat(rolloutProblems).containsExactly(
            "the rollout stopped at step 1 of 3: member 1 ended with status 1: no such class; 2 of 3 members " +
            "serve; to go back, start member 1 from /1.0/cluster-node.jar again");
        assertThat(cluster.members.get(0).calls).isEmpty();
        assertThat(cluster.members.get(2).calls).isEmpty();
        assertThat(cluster.restoreCount).isZero();
        assertThat(cluster.members.get(1).isAlive).isFalse();
    }

    @Test
    void shouldStopAtAMemberThatDoesNotCatchUp()
    {
        cluster.members.get(2).commitPosition = 1;

        final List<Cycle> cycles = rollOut(false);

        assertThat(cycles).hasSize(2);
        assertThat(cycles.get(1).problem()).isEqualTo("the victim did not catch up within --limit 20.0 s");
        assertThat(rolloutProblems).containsExactly(
            "the rollout stopped at step 2 of 3: member 2 runs, but did not catch up in time; its output is in " +
            "/data/member-2/member.log; 3 of 3 members serve; to go back, start members 1, 2 from /1.0/cluster-node.jar again");
        assertThat(cluster.members.get(0).calls).isEmpty();
    }

    @Test
    void shouldStopBeforeAStepThatNeedsAMemberThatIsDown()
    {
        cluster.isNeverSettled = true;

        assertThat(rollOut(false)).hasSize(1);
        assertThat(rolloutProblems).containsExactly(
            "the rollout stopped at step 1 of 3; 3 of 3 members serve; none was replaced");
        assertThat(rollout.result(List.of()).steps()).isEmpty();
    }

    @Test
    void shouldReportAMemberThatRunsAnotherVersionThanItsJar()
    {
        cluster.members.get(1).reported = "0.9";

        rollOut(false);

        assertThat(rolloutProblems).containsExactly(
            "member 1 runs 0.9 (commit c0ffee) with Aeron 1.51.0 after step 1, not 2.0 (commit c0ffee) with Aeron 1.51.0");
    }

    @Test
    void shouldReportAMemberThatReadNoSnapshot()
    {
        cluster.members.get(2).loadNs = 0;

        rollOut(false);

        assertThat(rolloutProblems).containsExactly(
            "member 2 did not start from a snapshot of 1.0 (commit c0ffee) with Aeron 1.51.0 in step 2");
        assertThat(rollout.result(List.of()).steps().get(1).snapshotLoadNs()).isNull();
    }

    @Test
    void shouldBringBackTheMemberOfAStepThatIsInterrupted()
    {
        cluster.onPause = () ->
        {
            if (!cluster.members.get(2).calls.isEmpty())
            {
                lab.requestEnd();
            }
        };

        final List<Cycle> cycles = rollOut(false);

        assertThat(cycles).hasSize(2);
        assertThat(cycles.get(1).isInterrupted()).isTrue();
        assertThat(cluster.members.get(2).calls).endsWith("useJar /2.0/cluster-node.jar", "cleanUp", "start");
        assertThat(cluster.restoreCount).isEqualTo(1);
        assertThat(cluster.members.get(0).calls).isEmpty();
        assertThat(rolloutProblems).isEmpty();
    }

    static FailoverDocument.Version stored(final NodeJar jar)
    {
        return new FailoverDocument.Version(jar.version().version(), jar.version().commit(), jar.version().aeron());
    }

    private List<Cycle> rollOut(final boolean isAndBack)
    {
        return execute(FailoverPlan.of(new Rollout.Plan(OLD, NEW, 3, isAndBack), 100 * MS, LIMIT_NS));
    }
}
