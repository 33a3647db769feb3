package io.clusterecho.reporting.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.TailCause;

class OtherProgramsRuleTest
{
    @Test
    void shouldBlameOtherProgramsBesideMembersThatAreSeen()
    {
        assertThat(findings("client", "member-0")).singleElement().extracting(TailCause::cause)
            .isEqualTo("other programs used 1.0 cores while no core was idle");
        assertThat(findings("client", "server-0")).singleElement().extracting(TailCause::cause)
            .isEqualTo("other programs used 1.0 cores while no core was idle");
    }

    @Test
    void shouldNotTakeMembersThatAreNotSeenForOtherPrograms()
    {
        assertThat(findings("client")).singleElement().extracting(TailCause::cause).isEqualTo(
            "other programs, or members that this result does not see, used 1.0 cores while no core was idle");
    }

    @Test
    void shouldCountCoresBetweenTheReadingsOfAMachineThatWasReadLate()
    {
        // The first row was read 3 s late, so that it has the use of 4 s.
        assertThat(Findings.of(new IntervalTable(
            new CsvTable(List.of("begin_s,end_s,phase,response_p50_us,response_p99_us", "0,1,measure,100,1000",
            "1,4.5,measure,100,1000")), new CsvTable(List.of("begin_s,end_s,process,cpu_ms", "0,1,client,9", "1,4.5,client,9")),
            new CsvTable(List.of("begin_s,end_s,user_ms,system_ms,idle_ms,io_wait_ms,elapsed_ms", "0,1,6000,2000,0,0,4000",
            "1,4.5,900,100,0,0,500"))), 100_000, 1_000_000L, false).findings()).singleElement().extracting(TailCause::cause)
            .asString().endsWith("used 2.0 cores while no core was idle");
    }

    /** Two full cores of which the processes of the result use one. */
    private static List<TailCause> findings(final String... processes)
    {
        final List<String> intervals = new ArrayList<>(List.of("begin_s,end_s,phase,response_p50_us,response_p99_us"));
        final List<String> counters = new ArrayList<>(List.of("begin_s,end_s,process,cpu_ms"));
        final List<String> machine = new ArrayList<>(List.of("begin_s,end_s,user_ms,system_ms,idle_ms,io_wait_ms"));
        for (int row = 0; row < 10; row++)
        {
            final String time = row + ".000," + (row + 1) + ".000,";
            intervals.add(time + "measure,100,1000");
            machine.add(time + "1500,500,0,0");
            for (final String process : processes)
            {
                counters.add(time + process + "," + 1_000 / processes.length);
            }
        }
        return Findings.of(
            new IntervalTable(new CsvTable(intervals), new CsvTable(counters), new CsvTable(machine)), 100_000,
            1_000_000L, false)
            .findings();
    }
}
