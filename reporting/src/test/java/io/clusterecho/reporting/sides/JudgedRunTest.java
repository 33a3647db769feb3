package io.clusterecho.reporting.sides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.reporting.sides.SideTable.SideCell;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.settings.InvalidSettingException;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgedRunTest
{
    private static final long RATE = 1_000;
    private static final int WARM_UP_S = 30;
    private static final int WINDOW_S = 25;
    private static final long DUE = RATE * 352 * (WARM_UP_S + WINDOW_S);
    private static final List<Long> BEFORE = List.of(-1L, 0L, 1_000L);
    private static final List<Long> ALL = List.of(DUE, DUE, DUE + 1_000);

    @TempDir
    private Path folder;

    @Test
    void shouldAcceptARunOfTheRigThatEveryMemberRecorded() throws IOException
    {
        final JudgedRun run = JudgedRun.rig(log("rig.hdr", 25, 300_000), run(RATE * WINDOW_S, ALL));
        assertThat(run.csv()).matches("GOOD,30\\d\\.\\d+(,30\\d\\.\\d+){3},1,none,301\\.3\\d+,yes");
    }

    @Test
    void shouldFindAMemberOfTheRigThatTookNoPart() throws IOException
    {
        final Path log = log("rig.hdr", 25, 300_000);
        for (final List<Long> after : List.of(
            List.of(DUE, DUE, 1_000 + 2 * DUE / 3), List.of(DUE, DUE, 1_000L), List.of(DUE, DUE, -1L)))
        {
            final JudgedRun run = JudgedRun.rig(log, run(RATE * WINDOW_S, after));
            assertThat(run.verdict()).isEqualTo("FAILED");
            assertThat(run.absent()).isEqualTo("2");
        }
        assertThat(JudgedRun.rig(log, run(RATE * WINDOW_S, List.of(-1L, -1L, -1L))).absent()).isEqualTo("0 1 2");
    }

    /** A tenth of the window is allowed to ours too. */
    @Test
    void shouldAllowTheRigWhatIsAllowedToUs()
    {
        final long tenth = RATE * 352 * WINDOW_S / 10;
        assertThat(run(0, List.of(DUE, DUE, DUE + 1_000 - tenth)).absentMembers()).isEmpty();
        assertThat(run(0, List.of(DUE, DUE, DUE + 999 - tenth)).absentMembers()).containsExactly(2);
    }

    @Test
    void shouldFailARunOfTheRigThatMissedItsRate() throws IOException
    {
        final Path log = log("rig.hdr", 25, 300_000);
        assertThat(JudgedRun.rig(log, run(RATE * WINDOW_S * 99 / 100, ALL)).verdict()).isEqualTo("GOOD");
        assertThat(JudgedRun.rig(log, run(RATE * WINDOW_S * 98 / 100, ALL)).verdict()).isEqualTo("FAILED");
        assertThat(JudgedRun.rig(log("rig.hdr.FAIL", 25, 300_000), run(RATE * WINDOW_S, ALL)).verdict()).isEqualTo("FAILED");
    }

    @Test
    void shouldNotKnowTheSteadyStateOrLagOfOneHistogram() throws IOException
    {
        final JudgedRun run = JudgedRun.rig(log("rig.hdr", 1, 300_000), run(RATE * WINDOW_S, ALL));
        assertThat(run.csv()).endsWith(",none,,unknown");
        assertThatThrownBy(() -> JudgedRun.rig(folder.resolve("none.hdr"), run(RATE * WINDOW_S, ALL)))
            .isInstanceOf(InvalidSettingException.class);
    }

    @Test
    void shouldSeeThatTheRigWasNotSteady() throws IOException
    {
        assertThat(JudgedRun.rig(log("rig.hdr", 30, 300_000, 900_000), run(RATE * WINDOW_S, ALL)).steady()).isEqualTo("no");
    }

    @Test
    void shouldTakeTheVerdictOfOurOwnResult() throws IOException
    {
        final Path results = StoredRows.RESULTS;
        assertThat(JudgedRun.ours(results.resolve("reference-20261128-two-cores/20261128-003304-140k"), null).csv())
            .isEqualTo("FAILED,160.895,50102.271,58753.023,62586.879,1,,,unknown");
        final Path demo = results.resolve("reference-20261126-demo");
        final JudgedRun good = JudgedRun.ours(demo, null);
        assertThat(good.csv()).matches("GOOD,.*,1,none,[0-9.]+,unknown");
        assertThat(JudgedRun.ours(demo, List.of())).isEqualTo(good);
        assertThat(JudgedRun.ours(demo, List.of(0, 2)).csv()).matches("FAILED,.*,1,0 2,[0-9.]+,unknown");
    }

    @Test
    void shouldNotCountWhatFailed()
    {
        final List<SideRun> runs = SideRun.of(new CsvTable(List.of(
            "start,side,messages_per_second,verdict,p50_us,p99_us,sent,steal_ms,written_kb",
            "1,a,1000,GOOD,100,2000,1,0,0",
            "2,a,1000,FAILED,50,1000,1,0,0",
            "3,a,1000,CLIENT-LIMITED,300,12000,1,30,0",
            "4,a,1000,,,,,0,0")));
        final SideCell cell = SideCell.of(runs, "a", 1_000);
        assertThat(cell.p50Us()).isEqualTo("100 (300)");
        assertThat(cell.p99Ms()).isEqualTo("2.0 (12.0)");
        assertThat(cell.metCount()).isEqualTo(1);
        assertThat(cell.counted().size()).isEqualTo(2);
        assertThat(cell.allCount()).isEqualTo(4);
        assertThat(SideTable.text(runs)).containsPattern("a +1000 +100 \\(300\\) +2.0 \\(12.0\\) +1 of 2 +2 +100.0% +30")
            .contains("2 of 4");
        assertThat(SideTable.text(runs.subList(1, 2))).containsPattern("a +1000 +- +- +0 of 0 +1 +- +-");
    }

    @Test
    void shouldFollowTheSeed()
    {
        final List<List<Integer>> order = SideTable.order(42, 20, 3);
        assertThat(order).isEqualTo(SideTable.order(42, 20, 3)).hasSize(20)
            .allSatisfy((sides) -> assertThat(sides).containsExactlyInAnyOrder(0, 1, 2));
        assertThat(order).isNotEqualTo(SideTable.order(43, 20, 3));
        assertThat(order.stream().map((sides) -> sides.get(0)).distinct()).hasSize(3);
    }

    private static RigRun run(final long sentCount, final List<Long> after)
    {
        return new RigRun(RATE, 288, WARM_UP_S, WINDOW_S, sentCount, BEFORE, after);
    }

    private Path log(final String name, final int seconds, final long... valuesNs) throws IOException
    {
        final Path file = folder.resolve(name);
        try (PrintStream stream = new PrintStream(Files.newOutputStream(file)))
        {
            final HistogramLogWriter writer = new HistogramLogWriter(stream);
            writer.outputLogFormatVersion();
            for (int second = 0; second < seconds; second++)
            {
                final Histogram histogram = new Histogram(3);
                // Not all alike, or the order of the intervals would be of equal ranks.
                histogram.recordValueWithCount(
                    valuesNs[second * valuesNs.length / seconds] + 500 * (second * 7 % 5), RATE);
                histogram.setStartTimeStamp(1_000L * second);
                histogram.setEndTimeStamp(1_000L * (second + 1));
                writer.outputIntervalHistogram(histogram);
            }
            if (seconds > 1)
            {
                final Histogram rest = new Histogram(3);
                rest.recordValue(301_000);
                rest.setStartTimeStamp(1_000L * seconds);
                rest.setEndTimeStamp(1_000L * seconds + 20);
                writer.outputIntervalHistogram(rest);
            }
        }
        return file;
    }
}
