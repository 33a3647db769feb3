package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

class SnapshotCostTest
{
    private static final long MS = 1_000_000L;

    @TempDir
    private Path folder;

    @Test
    void shouldFindNoneInARunWithoutThem()
    {
        assertThat(SnapshotCost.of(new IntervalTable(folder))).isNull();
    }

    @Test
    void shouldTellIntervalsWithASnapshotFromTheOthers() throws IOException
    {
        writeIntervals();
        Files.writeString(folder.resolve(SnapshotCost.FILE), SnapshotCost.HEADER +
            "2.100,2.200,0,leader,5000000\n2.100,2.200,1,follower,4000000\n" +
            "3.900,4.100,0,leader,7000000\n3.900,4.100,1,follower,\n");

        final SnapshotCost cost = SnapshotCost.of(new IntervalTable(folder));

        assertThat(cost.windows()).containsExactly(
            new ChurnCost.Window(2_100 * MS, 2_200 * MS), new ChurnCost.Window(3_900 * MS, 4_100 * MS));
        assertThat(cost.responseTimeDuringNs().count()).as("intervals 2, 3 and 4").isEqualTo(30);
        assertThat(cost.responseTimeDuringNs().at(Percentile.MAX)).isCloseTo(4 * MS, withinPercentage(0.1));
        assertThat(cost.responseTimeApartNs().count()).as("intervals 1 and 5, and the end of the warm-up").isEqualTo(21);
        assertThat(cost.responseTimeApartNs().at(Percentile.MAX)).isCloseTo(5 * MS, withinPercentage(0.1));
        assertThat(cost.pauses()).containsExactly(
            new SnapshotCost.Pauses(0, "leader", 2, 5 * MS, 7 * MS), new SnapshotCost.Pauses(1, "follower", 1, 4 * MS, 4 * MS));
        assertThat(cost.text()).containsExactly(
            "snapshots  2 taken; p99.9 (max) - (4.00 ms) in intervals with one, - (5.00 ms) without",
            "           pause of the service: member 0 (leader) 5.00 ms, at most 7.00 ms; member 1 (follower) 4.00 ms, at most " +
            "4.00 ms");
    }

    @Test
    void shouldNotCompareWithIntervalsThatAreNotThere() throws IOException
    {
        writeIntervals();
        Files.writeString(folder.resolve(SnapshotCost.FILE), SnapshotCost.HEADER + "0.500,6.500,0,leader,5000000\n");

        final SnapshotCost cost = SnapshotCost.of(new IntervalTable(folder));

        assertThat(cost.responseTimeApartNs().count()).isZero();
        assertThat(cost.text()).first().asString().isEqualTo("snapshots  1 taken; no interval without one to compare with");
    }

    @Test
    void shouldSayThatNoneWasTaken() throws IOException
    {
        writeIntervals();
        Files.writeString(folder.resolve(SnapshotCost.FILE), SnapshotCost.HEADER);

        assertThat(SnapshotCost.of(new IntervalTable(folder)).text()).containsExactly("snapshots  0 taken");
    }

    /**
     * A second each; ten messages in each took as many ms as the interval has seconds before it. The first is of the warm-up
     * but for the first measured message, since it ends a little late.
     */
    private void writeIntervals() throws IOException
    {
        final StringBuilder rows = new StringBuilder("begin_s,end_s,phase\n");
        try (PrintStream stream = new PrintStream(folder.resolve(Time.RESPONSE.log()).toFile()))
        {
            final HistogramLogWriter log = new HistogramLogWriter(stream);
            for (int second = 0; second < 6; second++)
            {
                rows.append(second).append(".000,").append(second + 1).append(".000,")
                    .append(0 == second ? "warm_up" : "measure").append('\n');
                final Histogram times = TimeRecorder.newHistogram();
                times.recordValueWithCount(Math.max(1, second) * MS, 0 == second ? 1 : 10);
                times.setStartTimeStamp(second * 1_000L);
                times.setEndTimeStamp(second * 1_000L + 1_000);
                log.outputIntervalHistogram(times);
            }
        }
        Files.writeString(folder.resolve(FileNames.INTERVALS), rows);
    }
}
