package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartedRunTest
{
    private static final double RESOLUTION = 0.001;
    private static final ObjectMapper MAPPER = new ObjectMapper();

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
        final JsonNode run = read(100);
        final JsonNode intervals = run.get("intervals");
        assertThat(intervals.get("rowCount").asInt()).isEqualTo(SampleResult.ROW_COUNT);
        assertThat(intervals.get("beginS")).hasSize(SampleResult.ROW_COUNT);
        assertRow(intervals, 3, 3, 4, "measure", "0", 101, 100, 1, 21);
        assertThat(intervals.has("targetPerS")).isFalse();
        final JsonNode times = intervals.get("responseNs");
        assertThat(times.get("max")).hasSize(SampleResult.ROW_COUNT);
        assertNear(times.at("/p50/3"), 1);
        assertNear(times.at("/max/3"), 5);
        assertThat(cells(run, 3)).containsExactly(SampleResult.COUNT_PER_ROW - 1, 1L);
        assertThat(ReportData.read(List.of(folder), folder.toAbsolutePath()).json()).contains(
            "\"manifest.json\"", "\"intervals.csv\"", "\"response-time.hlog\"", "\"stall.hlog\"");
    }

    @Test
    void shouldTakePercentilesOfJoinedHistograms()
    {
        final JsonNode run = read(3);
        final JsonNode intervals = run.get("intervals");
        assertThat(intervals.get("phase").toString()).isEqualTo("[\"warm_up\",\"measure\",\"measure\",\"drain\"]");
        assertRow(intervals, 1, 1, 5, "measure", "0", 101, 100.5, 1, 17.5);
        final JsonNode times = intervals.get("responseNs");
        assertThat(cells(run, 1).stream().mapToLong(Long::longValue).sum()).isEqualTo(4 * SampleResult.COUNT_PER_ROW);
        // Of 404 times four are over 1 ms: 3, 4, 5 and 6 ms. The mean of the rows' own p99 would be 1 ms.
        assertNear(times.at("/p99/1"), 1);
        assertNear(times.at("/p99.9/1"), 6);
        assertNear(times.at("/max/1"), 6);
    }

    @Test
    void shouldJoinCountersLikeIntervals()
    {
        final JsonNode every = read(100).get("counters");
        assertThat(every.get("processes").fieldNames()).toIterable().containsExactly("client", "member-0");
        assertThat(every.at("/processes/member-0/naks_sent").toString()).isEqualTo("[0,3,6,9,12,15,18,21,24,27]");
        assertThat(every.at("/processes/client").fieldNames()).toIterable()
            .as("columns in which nothing was counted are left out").containsExactly("cpu_ms");
        assertThat(every.get("machine").fieldNames()).toIterable().containsExactly("user_ms", "system_ms", "idle_ms");

        // Rows 1 to 4 and 5 to 8 are one interval each: per second it is the mean.
        assertThat(read(3).at("/counters/processes/member-0/naks_sent").toString()).isEqualTo("[0,7.5,19.5,27]");
    }

    @Test
    void shouldDivideTheUseOfTheMachineByTheTimeBetweenItsReadings() throws IOException
    {
        final Path machine = folder.resolve("machine.csv");
        final List<String> rows = new ArrayList<>(Files.readAllLines(machine));
        rows.replaceAll((row) -> row + (row.startsWith("begin_s") ? ",elapsed_ms" : row.startsWith("1.000") ? ",2000" : ",1000"));
        Files.write(machine, rows);
        assertThat(read(100).at("/counters/machine/user_ms").toString()).startsWith("[500,250,500,");
    }

    @Test
    void shouldPlaceEachFurtherNineAtTheSameDistance()
    {
        final JsonNode curve = read(100).at("/curves/response");
        assertThat(curve.at("/0/0").asDouble()).isZero();
        final int last = curve.size() - 1;
        assertThat(curve.get(last).get(0).asDouble()).isCloseTo(Math.log10(1_010), within(1e-4));
        assertNear(curve.get(last).get(1), 11);
        for (int i = 0; i < last; i++)
        {
            assertThat(curve.get(i).get(0).asDouble()).isLessThanOrEqualTo(curve.get(i + 1).get(0).asDouble());
            final double overShare = Math.pow(10, -curve.get(i).get(0).asDouble());
            if (overShare > 10.5 / 1_010)
            {
                assertNear(curve.get(i).get(1), 1);
            }
        }
    }

    @Test
    void shouldAcceptAnEmptyDistribution()
    {
        assertThat(PercentileCurve.parse(List.of(
            "       Value     Percentile TotalCount 1/(1-Percentile)", "", "       0.000 1.000000000000          0",
            "#[Mean    =          NaN, StdDeviation   =          NaN]"))).isEmpty();
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
        try (IntervalFiles files = new IntervalFiles(new ResultFolder(folder, disk), 0))
        {
            for (int i = 0; i < wholeCount; i++)
            {
                files.onInterval(SampleInterval.of(i));
            }
            disk.roomBytes(300);
            files.onInterval(SampleInterval.of(wholeCount));
            assertThat(files.problems()).isNotEmpty();
        }

        final JsonNode run = read(100);
        assertThat(run.at("/intervals/beginS")).hasSize(wholeCount);
        assertThat(run.at("/intervals/responseNs/max")).hasSize(wholeCount);
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
        final JsonNode run = read(100);
        assertThat(run.at("/intervals/beginS")).isEmpty();
        assertThat(run.at("/intervals/responseNs/max")).isEmpty();
        assertThat(run.at("/counters/processes")).isEmpty();
        assertThat(run.has("failover")).isFalse();
        for (final String time : List.of("response", "service", "delay"))
        {
            assertThat(run.at("/curves/" + time)).as(time).isNotEmpty();
        }

        Files.delete(folder.resolve("service-time.hgrm"));
        Files.delete(folder.resolve("send-delay.hgrm"));
        Files.delete(folder.resolve("summary.txt"));
        final JsonNode least = MAPPER.readTree(ReportData.read(List.of(folder), folder.toAbsolutePath()).json()).at("/runs/0");
        assertThat(least.at("/curves/service")).isEmpty();
        assertThat(least.at("/curves/delay")).isEmpty();
        assertThat(least.get("files").findValuesAsText("name")).containsExactly("manifest.json", "response-time.hgrm");

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
        assertThatThrownBy(() -> ChartedRun.read(folder, 100, 10))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll(parts);
    }

    private JsonNode read(final int maxIntervalCount)
    {
        return ChartedRun.read(folder, maxIntervalCount, 10);
    }

    private static void assertRow(
        final JsonNode intervals, final int index, final int beginS, final int endS, final String phase, final String leader,
        final double sent, final double answered, final int inFlight, final double backPressured)
    {
        assertThat(List.of(
            "beginS", "endS", "phase", "leader", "sentPerS", "answeredPerS", "inFlight", "backPressuredPerS",
            "disconnectedPerS").stream().map((name) -> intervals.get(name).get(index).asText()).toList())
            .containsExactly(
            text(beginS), text(endS), phase, leader, text(sent), text(answered), text(inFlight), text(backPressured), "0");
    }

    private static String text(final double number)
    {
        return number == Math.rint(number) ? String.valueOf((long)number) : String.valueOf(number);
    }

    /** Counts of the cells of a point. */
    private static List<Long> cells(final JsonNode run, final int point)
    {
        final JsonNode cells = run.get("cells");
        return IntStream.range(0, cells.size() / 3).filter((index) -> point == cells.get(3 * index).asInt())
            .mapToObj((index) -> cells.get(3 * index + 2).asLong()).toList();
    }

    private static void assertNear(final JsonNode timeNs, final long expectedMs)
    {
        final double expectedNs = expectedMs * (double)SampleResult.NS_PER_MS;
        assertThat(timeNs.asDouble()).isCloseTo(expectedNs, within(RESOLUTION * expectedNs));
    }
}
