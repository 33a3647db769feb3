package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.reporting.measurement.ChurnCounter;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

class ChurnCostTest
{
    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;
    private static final List<String> PHASES = List.of("warm_up", "measure", "measure", "measure", "measure", "drain");

    @TempDir
    private Path folder;

    @Test
    void shouldFindNoneInARunWithoutSessionsThatComeAndGo()
    {
        assertThat(ChurnCost.of(new IntervalTable(folder))).isNull();
    }

    @Test
    void shouldCompareIntervalsWithChurnWithTheOthersAndSumTheAccounts() throws IOException
    {
        // Columns as in the header: due, connected, refused limit, ..., open, core time.
        write(
            "0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,5.000,0.000\n" +
            "1,2,1,0,0,0,0,0,0,0,0,0,0,0,1,0,5.000,0.001\n" +
            "2,3,10,7,1,0,0,0,0,0,6,0,0,0,3,1,100.000,1.000\n" +
            "3,4,9,10,1,0,0,0,0,0,10,1,0,0,1,2,300.000,0.999\n" +
            "4,5,0,1,0,0,0,0,0,0,1,0,0,0,0,1,5.000,0.000\n" +
            "5,5.100,0,0,0,0,0,0,0,0,0,0,0,0,0,0,5.000,0.000\n", 5);
        Files.writeString(folder.resolve(FileNames.COUNTERS),
            "process,sessions_opened,sessions_timed_out\nmember-0,10,1\nmember-1,9,0\nclient,,\nmember-0,9,1\nmember-1,9,1\n");

        final ChurnCost cost = ChurnCost.of(new IntervalTable(folder));

        assertThat(cost.windows()).containsExactly(new ChurnCost.Window(2 * S, 4 * S));
        assertThat(cost.responseTimeDuringNs().count()).as("intervals 2 and 3").isEqualTo(20);
        assertThat(cost.responseTimeDuringNs().at(Percentile.MAX)).isCloseTo(3 * MS, withinPercentage(0.1));
        assertThat(cost.responseTimeApartNs().count()).as("intervals 1 and 4, and the end of the warm-up").isEqualTo(21);
        assertThat(cost.sessions()).containsEntry(ChurnCounter.DUE.key(), 20L).containsEntry(ChurnCounter.CONNECTED.key(), 18L)
            .containsEntry(ChurnCounter.REFUSED_LIMIT.key(), 2L).containsEntry(ChurnCounter.IN_PROGRESS.key(), 0L)
            .containsEntry(ChurnCounter.CLOSED.key(), 17L).containsEntry(ChurnCounter.OPEN.key(), 0L);
        assertThat(cost.mostOpen()).isEqualTo(2);
        assertThat(cost.cores()).isEqualTo(0.2);
        assertThat(cost.connectTimeNs().count()).isEqualTo(18);
        assertThat(cost.cluster()).isEqualTo(new ChurnCost.ClusterCount(19, 2));
        assertThat(cost.intervals()).hasSize(6);
        final ChurnCost.Point third = cost.intervals().get(2);
        assertThat(third).isEqualTo(new ChurnCost.Point(2 * S, 1, 7, 1, third.connectP50Ns(), third.connectMaxNs()));
        assertThat(third.connectP50Ns()).isCloseTo(4 * MS, withinPercentage(0.1));
        assertThat(cost.intervals().get(0).connectP50Ns()).isNull();
        assertThat(cost.text()).containsExactly(
            "churn      20 sessions due, 18 connected, refused limit 2, lost 1, in progress at the end 0; connect p50 -, " +
            "p99 -, max 18.0 ms",
            "           p50, p99, p99.9 of the load 2.00 ms, -, - in intervals with churn, 1.00 ms, -, - without",
            "           closed 17, open at most 2; its thread used 0.20 cores; " +
            "until the end of the load the cluster opened 19, timed out 2");
    }

    @Test
    void shouldNotCompareWithIntervalsThatDoNotExist() throws IOException
    {
        write("0,1,1,0,0,0,0,0,0,0,0,0,0,0,1,0,1.000,0.001\n" +
            "1,2,5,5,0,0,0,0,0,0,5,0,0,0,0,0,1.000,1.000\n" +
            "2,3,5,5,0,0,0,0,0,0,5,0,0,0,0,0,1.000,1.000\n" +
            "3,4,5,5,0,0,0,0,0,0,5,0,0,0,0,0,1.000,1.000\n" +
            "4,5,5,5,0,0,0,0,0,0,5,0,0,0,0,0,1.000,1.000\n" +
            "5,6,0,1,0,0,0,0,0,0,1,0,0,0,0,0,1.000,0.000\n", 6);

        final ChurnCost cost = ChurnCost.of(new IntervalTable(folder));

        assertThat(cost.windows()).containsExactly(new ChurnCost.Window(S, 5 * S));
        assertThat(cost.responseTimeDuringNs().count()).as("all, also of the end of the warm-up and of the drain").isEqualTo(51);
        assertThat(cost.responseTimeApartNs().count()).isZero();
        assertThat(cost.text().get(0)).contains("21 connected, none failed,");
        assertThat(cost.text().get(1)).isEqualTo("           no interval without churn to compare with");
        assertThat(cost.text().get(2)).endsWith("cores");
    }

    /**
     * Intervals of a second, so many of them of the load; ten messages in each took as many ms as it has seconds before it, but
     * the warm-up has one of 1 ms. Times to connect are 1, 2, ... ms.
     */
    private void write(final String rows, final int intervalCount) throws IOException
    {
        Files.writeString(folder.resolve(ChurnCost.FILE), ChurnCost.header() + rows);
        final HistogramRows times = new HistogramRows(Time.RESPONSE.log(), 0);
        final HistogramRows connects = new HistogramRows(ChurnCost.CONNECT_TIMES, 0);
        final StringBuilder intervals = new StringBuilder("begin_s,end_s,phase\n");
        final StringBuilder timesText = new StringBuilder(times.take());
        final StringBuilder connectsText = new StringBuilder(connects.take());
        int connected = 0;
        final List<String> all = rows.lines().toList();
        for (int i = 0; i < all.size(); i++)
        {
            if (i < intervalCount)
            {
                final Histogram histogram = TimeRecorder.newHistogram();
                histogram.recordValueWithCount(Math.max(1, i) * MS, 0 == i ? 1 : 10);
                timesText.append(times.row(histogram, i * 1_000L, i * 1_000L + 1_000));
                intervals.append(i).append(',').append(i + 1).append(',').append(PHASES.get(i)).append('\n');
            }
            final Histogram histogram = TimeRecorder.newHistogram();
            for (int k = Integer.parseInt(all.get(i).split(",")[3]); k > 0; k--)
            {
                histogram.recordValue(++connected * MS);
            }
            connectsText.append(connects.row(histogram, i * 1_000L, i * 1_000L + 1_000));
        }
        Files.writeString(folder.resolve(FileNames.INTERVALS), intervals);
        Files.writeString(folder.resolve(Time.RESPONSE.log()), timesText);
        Files.writeString(folder.resolve(ChurnCost.CONNECT_TIMES), connectsText);
    }
}
