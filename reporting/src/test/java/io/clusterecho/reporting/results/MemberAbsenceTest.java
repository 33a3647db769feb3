package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class MemberAbsenceTest
{
    private static final long NS_PER_S = 1_000_000_000L;
    private static final String CLOSED = "17";
    private static final String CANVASS = "1";

    private final List<String> intervals = new ArrayList<>(List.of("begin_s,end_s,phase"));
    private final List<String> counters = new ArrayList<>(List.of("begin_s,process,pid,election,committed_bytes"));

    @Test
    void shouldNotReportMembersThatTakePart()
    {
        for (int i = 0; i < 5; i++)
        {
            interval("measure", "7," + CLOSED + ",100", "8," + CLOSED + ",100");
        }
        assertThat(absences()).isEmpty();
    }

    @Test
    void shouldReportAMemberInAnElection()
    {
        interval("warm_up", "7," + CLOSED + ",100", "8," + CANVASS + ",0");
        interval("measure", "7," + CLOSED + ",100", "8," + CANVASS + ",0");
        interval("measure", "7," + CLOSED + ",100", "8," + CANVASS + ",0");
        interval("done", "7," + CLOSED + ",100", "8," + CLOSED + ",300");
        assertThat(absences()).containsExactly(new MemberAbsence(1, 2 * NS_PER_S, 3 * NS_PER_S, "in an election"));
        assertThat(absences().get(0).text())
            .isEqualTo("member 1 took no part in the cluster for 2.0 s of 3.0 s: in an election");
    }

    @Test
    void shouldReportAMemberThatDoesNotRunOrHasNoCountersYet()
    {
        interval("measure", "7," + CLOSED + ",100", ",,");
        interval("measure", "7," + CLOSED + ",100", ",,");
        interval("measure", "7," + CLOSED + ",100", "9,,");
        interval("measure", "7," + CLOSED + ",100", "9," + CLOSED + ",");
        assertThat(absences()).containsExactly(new MemberAbsence(1, 3 * NS_PER_S, 4 * NS_PER_S, "not running"));
    }

    @Test
    void shouldReportAStoppedMemberWhoseCountersSeemWell()
    {
        interval("measure", "7," + CLOSED + ",100", "8," + CLOSED + ",0");
        interval("measure", "7," + CLOSED + ",100", "8," + CLOSED + ",0");
        interval("measure", "7," + CLOSED + ",100", "8," + CLOSED + ",300");
        assertThat(absences()).containsExactly(
            new MemberAbsence(1, 2 * NS_PER_S, 3 * NS_PER_S, "its log did not grow"));
    }

    @Test
    void shouldNotTakeASampleJustBeforeAMessageForAnAbsence()
    {
        interval("measure", "7," + CLOSED + ",100", "8," + CLOSED + ",0");
        interval("measure", "7," + CLOSED + ",0", "8," + CLOSED + ",100");
        interval("measure", "7," + CLOSED + ",100", "8," + CLOSED + ",0");
        interval("drain", "7," + CLOSED + ",0", "8," + CLOSED + ",0");
        assertThat(absences()).isEmpty();
    }

    @Test
    void shouldNotReportMembersWhoseHostDoesNotAnswer()
    {
        interval("measure", "7," + CLOSED + ",100", "?,,");
        interval("measure", "7," + CLOSED + ",100", "?,,");
        assertThat(absences()).isEmpty();
    }

    @Test
    void shouldNotReportMembersWhoseCountersCannotBeRead()
    {
        interval("measure", "7,,", ",,");
        interval("measure", "7,,", ",,");
        assertThat(absences()).as("of any member").isEmpty();

        interval("measure", "7,,", "8," + CLOSED + ",100");
        assertThat(absences()).as("of the first").singleElement().extracting(MemberAbsence::memberId).isEqualTo(1);
    }

    @Test
    void shouldReportNothingFromCountersOfEarlierVersions()
    {
        interval("measure", "7," + CLOSED + ",100", ",,");
        final List<String> earlier = counters.stream().map((line) -> line.replaceFirst(",[^,]*,[^,]*$", "")).toList();
        assertThat(MemberAbsence.of(new IntervalTable(new CsvTable(intervals), new CsvTable(earlier),
            new CsvTable(List.of())))).isEmpty();
        assertThat(MemberAbsence.of(new IntervalTable(new CsvTable(intervals), new CsvTable(List.of()),
            new CsvTable(List.of())))).isEmpty();
    }

    @Test
    void shouldFailARunWithoutAMemberForMoreThanATenthOfItsWindow()
    {
        final SampleEvidence run = new SampleEvidence();
        final long windowNs = 60 * NS_PER_S;
        run.absences = List.of(new MemberAbsence(2, windowNs / 10 + 1, windowNs, "in an election"));
        assertThat(run.verdict().reasons())
            .containsExactly("member 2 took no part in the cluster for 6.0 s of 60.0 s: in an election");
        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.RUN_FAILED);

        run.absences = List.of(new MemberAbsence(2, windowNs / 10, windowNs, "in an election"));
        assertThat(run.verdict().isGood()).isTrue();
        assertThat(run.verdict().warnings())
            .containsExactly("member 2 took no part in the cluster for 6.0 s of 60.0 s: in an election");

        run.absences = List.of(new MemberAbsence(2, NS_PER_S, windowNs, "in an election"));
        assertThat(run.verdict().warnings()).hasSize(1);

        run.absences = List.of(new MemberAbsence(2, NS_PER_S - 1, windowNs, "in an election"));
        assertThat(run.verdict().warnings()).isEmpty();

        // There the faults explain it.
        final SampleEvidence failover = SampleEvidence.ofFailover();
        failover.absences = List.of(new MemberAbsence(2, windowNs, windowNs, "not running"));
        assertThat(failover.verdict()).isEqualTo(new Verdict(List.of(), List.of(), ""));
    }

    private List<MemberAbsence> absences()
    {
        return MemberAbsence.of(new IntervalTable(new CsvTable(intervals), new CsvTable(counters), new CsvTable(List.of())));
    }

    /** An interval of 1 s, with pid, election state and growth of each member. */
    private void interval(final String phase, final String... members)
    {
        final int number = intervals.size() - 1;
        intervals.add(number + ".000," + (number + 1) + ".000," + phase);
        counters.add(number + ".000,client,1,,");
        for (int i = 0; i < members.length; i++)
        {
            counters.add(number + ".000,member-" + i + "," + members[i]);
            counters.add(number + ".000,member-" + i + "-driver,5,,");
        }
    }
}
