package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.junit.jupiter.api.Test;

/** Verdicts on closed loops, on series of runs, and on failover tests with losses elsewhere. */
class OtherVerdictsTest
{
    @Test
    void shouldBeGoodOfALoopThatLostNothing()
    {
        final Verdict verdict = Verdict.of(loop(0, 0, null, false), List.of());
        assertThat(verdict.isGood()).isTrue();
        assertThat(verdict.isPartial()).isFalse();
        assertThat(verdict.warnings()).isEmpty();
    }

    @Test
    void shouldFailALoopForEachThingThatIsWrong()
    {
        final Verdict verdict = Verdict.of(loop(2, 3, "no reply for 10 s", false), List.of("round-trip.hgrm is missing"));
        assertThat(verdict.isGood()).isFalse();
        assertThat(verdict.reasons()).containsExactly(
            "round-trip.hgrm is missing", "no reply for 10 s",
            "2 messages unanswered because their session was lost", "3 corrupt replies");
    }

    @Test
    void shouldCallALoopPartialThatWasEnded()
    {
        assertThat(Verdict.of(loop(0, 0, null, true), List.of()).partial()).isEqualTo("ended before its end");
    }

    @Test
    void shouldWarnOfALossThatNoFaultExplains()
    {
        final SampleEvidence failover = SampleEvidence.ofFailover();
        failover.lostElsewhere = 348;
        assertThat(failover.verdict().warnings()).singleElement().asString()
            .startsWith("348 messages that were due around no fault got no reply");
        failover.cycles.add(new CycleBuilder(1).with("valid", false).with("problem", "no echo").cycle());
        assertThat(failover.verdict().warnings()).as("the fault of a cycle that does not count may explain it").isEmpty();
    }

    @Test
    void shouldJudgeASeriesByItsRuns()
    {
        final Verdict verdict = new Verdict(List.of("run 2 failed"), List.of("not quiet"), "3 of 9 runs are missing");
        assertThat(verdict.isGood()).isFalse();
        assertThat(verdict.reasons()).containsExactly("run 2 failed");
        assertThat(verdict.warnings()).containsExactly("not quiet");
        assertThat(verdict.partial()).isEqualTo("3 of 9 runs are missing");
        assertThat(verdict.heading("series")).isEqualTo(
            "FAILED  series\n  ! run 2 failed\n  ! partial: 3 of 9 runs are missing\n  ~ not quiet\n\n");
    }

    private static ClosedLoopResult loop(final long lost, final long damaged, final String failure, final boolean isPartial)
    {
        return new ClosedLoopResult(100, lost, damaged, 0, 4, 4, 1_000_000, TimeRecorder.newHistogram(), failure, isPartial);
    }
}
