package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.reporting.diagnosis.Findings;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.foreign.SampleForeign;
import io.clusterecho.reporting.measurement.ChurnCounter;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.ChurnCost;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is in the files of a result: they are read, or the message names the file. */
class DamagedResultsTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final Path FAILOVER = RESULTS.resolve("reference-20261121-chaos").resolve("all-fsync0");
    private static final List<Class<? extends Throwable>> REFUSALS = List.of(InvalidSettingException.class);

    @TempDir
    private Path parent;
    private Path folder;

    @BeforeEach
    void writeSample() throws IOException
    {
        folder = SampleResult.write(parent.resolve("sample"), "sample", "GOOD");
    }

    @ParameterizedTest
    @CsvSource({
        "manifest.json, 300", "intervals.csv, 300", "response-time.hgrm, 100", "response-time.hlog, 200", "counters.csv, 100",
        "machine.csv, 100" })
    void shouldReadOrRefuseAFileOfARun(final String name, final int count) throws IOException
    {
        final Path file = folder.resolve(name);
        final long refused = Fuzz.run(name, count, List.of(Files.readAllBytes(file)), REFUSALS, (input) ->
        {
            Files.write(file, input);
            readAll();
        });

        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @CsvSource({ "churn.csv, 100", "connect-time.hlog, 100", "churn-failures.txt, 25" })
    void shouldReadOrSkipAFileOfChurn(final String name, final int count) throws IOException
    {
        final String row = ",1".repeat(ChurnCounter.values().length) + ",5.5,0.5\n";
        Files.writeString(
            folder.resolve(ChurnCost.FILE), ChurnCost.header() + "0,1" + row + "1,2" + row + "2,3" + row);
        Files.copy(folder.resolve(Time.RESPONSE.log()), folder.resolve(ChurnCost.CONNECT_TIMES));
        Files.writeString(folder.resolve(ChurnCost.FAILURES_FILE), "timed out: no answer in state SEND_MESSAGE\n");
        assertThat(ChurnCost.of(new IntervalTable(folder))).isNotNull();
        final Path file = folder.resolve(name);
        Fuzz.run(name, count, List.of(Files.readAllBytes(file)), REFUSALS, (input) ->
        {
            Files.write(file, input);
            readAll();
        });
    }

    @ParameterizedTest
    @CsvSource({ "failover.json, 400", "timeline.csv, 400" })
    void shouldReadOrRefuseAFileOfAFailoverTest(final String name, final int count) throws IOException
    {
        // Without these, as they may have been removed, nothing else of the load is read.
        Files.delete(folder.resolve(FileNames.INTERVALS));
        Files.copy(FAILOVER.resolve(DocumentKind.FAILOVER.fileName()), folder.resolve(DocumentKind.FAILOVER.fileName()));
        Files.writeString(
            folder.resolve(FileNames.TIMELINE),
            "cycle,begin_ms,end_ms,due,answered,unanswered,response_p50_us,response_p99_us,response_max_us\n" +
            "1,-20,0,20,20,0,81.5,90.0,120.0\n1,0,20,20,0,20,,,\n2,-20,0,20,20,0,80.5,91.0,121.0\n");
        final Path file = folder.resolve(name);
        final long refused = Fuzz.run(name, count, List.of(Files.readAllBytes(file)), REFUSALS, (input) ->
        {
            Files.write(file, input);
            readAll();
        });

        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "max-rate.json, reference-20261129-max-rate", "sweep.json, reference-20261125-aws/cluster",
        "suite.json, reference-20261125-peers/round-trips", "baseline.json, reference-20261127-fsync-cost/baseline" })
    void shouldReadOrRefuseADocumentOfSeveralRuns(final String name, final Path result) throws IOException
    {
        final Path file = Files.createDirectory(parent.resolve("several")).resolve(name);
        final byte[] sample = Files.readAllBytes(RESULTS.resolve(result).resolve(name));
        final long refused = Fuzz.run(name, 200, List.of(sample), REFUSALS, (input) ->
        {
            Files.write(file, input);
            show(file.getParent());
        });

        assertThat(refused).isPositive();
    }

    @Test
    void shouldRefuseAHistogramThatIsNotBase64AndASecondSeries() throws IOException
    {
        final Path file = folder.resolve(Time.RESPONSE.log());
        final String rows = Files.readString(file);
        Files.writeString(file, rows.replaceFirst("(?<=\n)([0-9].*\n)([0-9])", "$1Tag=second,$2"));
        assertThatThrownBy(() -> show(folder)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("response-time.hlog cannot be read: line 4, column 1 of 5 is Tag=second");

        Files.writeString(file, rows.replaceAll(",HIST", ",=HIST"));
        assertThatThrownBy(() -> show(folder)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("response-time.hlog cannot be read: line 3, column 4 of 4 is =HIST");
    }

    @Test
    void shouldReadOrRefuseAResultOfAnotherTool() throws IOException
    {
        final Path file = parent.resolve("echo-rate=1000.hdr");
        final byte[] sample = Files.readAllBytes(folder.resolve("response-time.hlog"));

        assertThat(Fuzz.run("foreign", 200, List.of(sample), REFUSALS, (input) ->
        {
            Files.write(file, input);
            show(file);
        })).isPositive();
    }

    @Test
    void shouldShowTheOtherFilesBesideOneWithoutRows() throws IOException
    {
        final Path header = Files.writeString(parent.resolve("header.hdr"), "#[Histogram log format version 1.3]\n");
        final Path empty = Files.writeString(parent.resolve("empty.hdr"), "");
        assertThatThrownBy(() -> show(parent)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll(header.toString(), empty.toString());

        SampleForeign.write(parent.resolve("whole.hdr"), 1_000);
        assertThat(read(parent).json()).contains("header.hdr", "empty.hdr", "\"label\":\"FAILED\"", "\"max\":1000");
        assertThat(read(folder, empty).json()).contains("\"label\":\"GOOD\"", "\"label\":\"FAILED\"");
    }

    /** As the report and the diagnosis do. */
    private void readAll()
    {
        RunDocument.read(folder);
        Findings.of(new IntervalTable(folder), 100_000, 1_000_000L, false);
        show(folder);
    }

    private static void show(final Path result)
    {
        final ReportData data = read(result);
        assertThat(data.title() + data.json()).isNotEmpty();
    }

    private static ReportData read(final Path... results)
    {
        return ReportData.read(List.of(results), results[0].toAbsolutePath());
    }
}
