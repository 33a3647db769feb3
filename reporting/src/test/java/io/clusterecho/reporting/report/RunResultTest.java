package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunResultTest
{
    private static final double RESOLUTION = 0.001;

    @TempDir
    private Path parent;
    private Path folder;

    @BeforeEach
    void writeSample() throws IOException
    {
        folder = SampleResult.write(parent.resolve("sample"), "sample", "GOOD");
    }

    @Test
    void shouldReadEveryRow()
    {
        final RunResult result = RunResult.read(folder, 100, 10);
        assertThat(result.intervals()).hasSize(SampleResult.ROW_COUNT);
        assertThat(result.intervals().get(3)).isEqualTo(new Interval(3, 4, 1, "measure", "0", 101, 100, 1, 21, 0, Double.NaN));
        assertThat(result.distributions(Time.RESPONSE)).hasSize(SampleResult.ROW_COUNT);
        final Distribution third = result.distributions(Time.RESPONSE).get(3);
        assertThat(third.count()).isEqualTo(SampleResult.COUNT_PER_ROW);
        assertNear(third.p50Ns(), 1);
        assertNear(third.maxNs(), 5);
        assertThat(third.cells().values()).containsExactly(SampleResult.COUNT_PER_ROW - 1, 1L);
        assertThat(result.rawFileNames()).contains("manifest.json", "intervals.csv", "response-time.hlog", "stall.hlog");
    }

    @Test
    void shouldFailAnOlderResultThatBeganBehindSchedule() throws IOException
    {
        for (final String rate : List.of("101", "50..150:10s"))
        {
            final ObjectNode manifest = SampleResult.manifest("run", "GOOD").put("warmUpSkipped", 12 * 101);
            manifest.withObject("/configuration").put("rate", rate);
            Files.writeString(folder.resolve("manifest.json"), manifest.toString());
            final JsonNode verdict = RunResult.read(folder, 100, 10).manifest().path("verdict");
            assertThat(verdict.path("label").asText()).as(rate).isEqualTo("101".equals(rate) ? "FAILED" : "GOOD");
            assertThat(verdict.path("reasons").toString().contains("12.0 s behind schedule")).isEqualTo("101".equals(rate));
        }
    }

    @Test
    void shouldTakePercentilesOfMergedHistograms()
    {
        final RunResult result = RunResult.read(folder, 3, 10);
        assertThat(result.intervals()).extracting(Interval::phase)
            .containsExactly("warm_up", "measure", "measure", "drain");
        final Interval joined = result.intervals().get(1);
        assertThat(joined).isEqualTo(new Interval(1, 5, 4, "measure", "0", 404, 402, 1, 70, 0, Double.NaN));
        final Distribution times = result.distributions(Time.RESPONSE).get(1);
        assertThat(times.count()).isEqualTo(4 * SampleResult.COUNT_PER_ROW);
        // Of 404 times four are over 1 ms: 3, 4, 5 and 6 ms. The mean of the rows' own p99 would be 1 ms.
        assertNear(times.p99Ns(), 1);
        assertNear(times.p99_9Ns(), 6);
        assertNear(times.maxNs(), 6);
    }

    @Test
    void shouldMergeCountersLikeIntervals()
    {
        final CounterSeries every = RunResult.read(folder, 100, 10).counters();
        assertThat(every.processes().keySet()).containsExactly("client", "member-0");
        assertThat(every.processes().get("member-0").get("naks_sent")).containsExactly(0, 3, 6, 9, 12, 15, 18, 21, 24, 27);
        assertThat(every.processes().get("client")).as("columns in which nothing was counted are left out")
            .containsOnlyKeys("cpu_ms");
        assertThat(every.machine()).containsOnlyKeys("user_ms", "system_ms", "idle_ms");

        final CounterSeries joined = RunResult.read(folder, 3, 10).counters();
        // Rows 1 to 4 and 5 to 8 are one interval each: per second it is the mean.
        assertThat(joined.processes().get("member-0").get("naks_sent")).containsExactly(0, 7.5, 19.5, 27);
    }

    @Test
    void shouldPlaceEachFurtherNineAtTheSameDistance()
    {
        final PercentileCurve curve = RunResult.read(folder, 100, 10).curve(Time.RESPONSE);
        assertThat(curve.places()[0]).isZero();
        assertThat(curve.places()).isSorted();
        final int last = curve.places().length - 1;
        assertThat(curve.places()[last]).isCloseTo(Math.log10(1_010), within(1e-9));
        assertNear(curve.timesNs()[last], 11);
        for (int i = 0; i < last; i++)
        {
            final double overShare = Math.pow(10, -curve.places()[i]);
            if (overShare > 10.5 / 1_010)
            {
                assertNear(curve.timesNs()[i], 1);
            }
        }
    }

    @Test
    void shouldAcceptAnEmptyDistribution()
    {
        final PercentileCurve curve = PercentileCurve.parse(List.of(
            "       Value     Percentile TotalCount 1/(1-Percentile)", "", "       0.000 1.000000000000          0",
            "#[Mean    =          NaN, StdDeviation   =          NaN]"));
        assertThat(curve.places()).isEmpty();
    }

    @Test
    void shouldRejectAFolderWithoutAResult() throws IOException
    {
        assertRefused(parent.resolve("nowhere"), "nowhere", "is not a folder");
        assertRefused(parent, parent.toString(), "it contains no manifest.json");
        Files.writeString(folder.resolve("manifest.json"), "{ \"format\" : ");
        assertRefused(folder, "manifest.json", "it is not JSON");
    }

    @Test
    void shouldRejectAFormatItDoesNotKnow() throws IOException
    {
        Files.writeString(
            folder.resolve("manifest.json"),
            SampleResult.manifest("x", "GOOD").put("format", "cluster-echo-run/99").toString());
        assertRefused(folder, "cluster-echo-run/99", "reads 'cluster-echo-run/2'");
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 3 })
    void shouldReadARunWhoseDiskFilledUp(final int wholeCount)
    {
        final FullDisk disk = new FullDisk(1_000_000);
        try (IntervalFiles files = new IntervalFiles(ResultFolder.at(folder, disk), 0))
        {
            for (int i = 0; i < wholeCount; i++)
            {
                files.onInterval(SampleInterval.of(i));
            }
            disk.roomBytes(300);
            files.onInterval(SampleInterval.of(wholeCount));
            assertThat(files.problems()).isNotEmpty();
        }

        final RunResult result = RunResult.read(folder, 100, 10);
        assertThat(result.intervals()).hasSize(wholeCount);
        assertThat(result.distributions(Time.RESPONSE)).hasSize(wholeCount);
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        assertThat(page).isNotEmptyFile();
    }

    @Test
    void shouldNameTheFieldThatIsMissing() throws IOException
    {
        Files.writeString(
            folder.resolve("manifest.json"), SampleResult.manifest("x", "GOOD").without("neverSent").toString());
        assertRefused(folder, "manifest.json", "it has no neverSent");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "response-time.hlog", "send-delay.hlog", "stall.hlog", "response-time.hgrm", "service-time.hgrm" })
    void shouldNameTheFileThatIsMissing(final String name) throws IOException
    {
        Files.delete(folder.resolve(name));
        assertRefused(folder, folder.resolve(name).toString(), "cannot be read");
    }

    @Test
    void shouldReadARunWithoutIntervalsAsOneWithoutChartsOverTime() throws IOException
    {
        SampleResult.removeIntervals(folder);
        final RunResult result = RunResult.read(folder, 100, 10);
        assertThat(result.intervals()).isEmpty();
        assertThat(result.distributions(Time.RESPONSE)).isEmpty();
        assertThat(result.counters().processes()).isEmpty();
        assertThat(result.failover()).isNull();
        assertThat(result.curve(Time.RESPONSE).places()).isNotEmpty();
        assertThat(result.curve(Time.SERVICE).places()).isNotEmpty();
        assertThat(result.curve(Time.SEND_DELAY).places()).isNotEmpty();

        Files.delete(folder.resolve("service-time.hgrm"));
        Files.delete(folder.resolve("send-delay.hgrm"));
        final RunResult least = RunResult.read(folder, 100, 10);
        assertThat(least.curve(Time.SERVICE)).isSameAs(PercentileCurve.NONE);
        assertThat(least.curve(Time.SEND_DELAY)).isSameAs(PercentileCurve.NONE);
        assertThat(least.rawFileNames()).containsExactly("manifest.json", "response-time.hgrm");

        Files.delete(folder.resolve("response-time.hgrm"));
        assertRefused(folder, "response-time.hgrm", "cannot be read");
    }

    @Test
    void shouldRejectLogAndTableOfDifferentRuns() throws IOException
    {
        final Path csv = folder.resolve("intervals.csv");
        final List<String> lines = Files.readAllLines(csv);
        Files.write(csv, lines.subList(0, lines.size() - 1));
        assertRefused(folder, "response-time.hlog", "more histograms than intervals.csv has rows (9)");

        final List<String> longer = new java.util.ArrayList<>(lines);
        longer.add(lines.get(lines.size() - 1));
        Files.write(csv, longer);
        assertRefused(folder, "response-time.hlog", "it has 10 histograms, intervals.csv has 11 rows");
    }

    @Test
    void shouldRejectDamagedRows() throws IOException
    {
        final Path csv = folder.resolve("intervals.csv");
        final String text = Files.readString(csv);
        Files.writeString(csv, text.replace("measure,0,101", "measure,0,many"));
        assertRefused(folder, "intervals.csv", "line 3 has a field sent that is not a number: many");
        Files.writeString(csv, text.replace("in_flight", "flying"));
        assertRefused(folder, "intervals.csv", "no column in_flight");
        Files.writeString(csv, text.stripTrailing().replaceFirst(",x$", ""));
        assertRefused(folder, "intervals.csv", "line 11 has 9 fields, the header has 10");
    }

    private static void assertRefused(final Path folder, final String... parts)
    {
        assertThatThrownBy(() -> RunResult.read(folder, 100, 10))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll(parts);
    }

    private static void assertNear(final long timeNs, final long expectedMs)
    {
        final double expectedNs = expectedMs * (double)SampleResult.NS_PER_MS;
        assertThat((double)timeNs).isCloseTo(expectedNs, within(RESOLUTION * expectedNs));
    }
}
