package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

/** Which reasons and warnings come first, of which a screen shows few. */
class VerdictOrderTest
{
    private final SampleEvidence run = new SampleEvidence();

    @Test
    void shouldNameLossesAndElectionsBeforeWhatFollowsFromThem()
    {
        run.unanswered = 20;
        run.answered = 980;
        run.ratePerSecondAchieved = 980;
        run.stallNs = 600 * SampleEvidence.NS_PER_MS;
        run.absences = List.of(new MemberAbsence(0, 2_000_000_000L, 9_000_000_000L, "in an election"));
        assertThat(run.verdict().failures()).extracting(Reason::kind).containsExactly(
            Reason.Kind.NO_REPLY, Reason.Kind.ABSENCE, Reason.Kind.RATE_MISSED, Reason.Kind.STALL);

        run.stallNs = 20 * SampleEvidence.NS_PER_MS;
        run.newLeaders = 1;
        assertThat(run.verdict().warnings()).first().isEqualTo("the leader changed 1 time(s)");
    }
}
