package io.clusterecho.reporting.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

import org.junit.jupiter.api.Test;

import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.TailCause;

class SnapshotRuleTest
{
    private static final int COUNT = 40;

    @Test
    void shouldNameSnapshotsInWhoseIntervalsRepliesWereSlow()
    {
        assertThat(findings((row) -> 0 == row % 10, (row) -> 0 == row % 10)).singleElement().satisfies((cause) ->
        {
            assertThat(cause.rule()).isEqualTo("snapshot");
            assertThat(cause.cause()).contains("member-0 800 ms");
        });
    }

    @Test
    void shouldNotBlameSnapshotsForOtherIntervals()
    {
        assertThat(findings((row) -> 5 == row % 10, (row) -> 0 == row % 10)).isEmpty();
    }

    /**
     * @param isSlow  whether the p99 of a row is 300 ms rather than 1 ms.
     * @param isTaken whether a snapshot of 200 ms was written in it.
     */
    private static List<TailCause> findings(final IntPredicate isSlow, final IntPredicate isTaken)
    {
        final List<String> intervals = new ArrayList<>(List.of("begin_s,end_s,phase,response_p50_us,response_p99_us"));
        final List<String> counters = new ArrayList<>(List.of("begin_s,end_s,process,service_snapshot_ms"));
        for (int row = 0; row < COUNT; row++)
        {
            intervals.add(row + ".000," + (row + 1) + ".000,measure,100," + (isSlow.test(row) ? 300_000 : 1_000));
            counters.add(row + ".000," + (row + 1) + ".000,member-0," + (isTaken.test(row) ? 200 : 0));
        }
        return Findings.of(
            new IntervalTable(new CsvTable(intervals), new CsvTable(counters), new CsvTable(List.of())),
            100_000, 300_000_000L, false)
            .findings();
    }
}
