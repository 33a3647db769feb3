package io.clusterecho.reporting.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.InvalidSettingException;

/** A run as a page has it: its manifest as it was written, its failover test if it is the load of one, and its charts. */
final class ChartedRun
{
    /** Times of which a page has charts over time. */
    private static final List<Time> CHARTED = List.of(Time.RESPONSE, Time.SEND_DELAY, Time.RECEIVE_LATENESS, Time.STALL);

    /**
     * Read a folder. The interval logs are most of one, and its result does not depend on them: a folder from which they, the
     * table of intervals and the counters were removed to save space is still valid. Its page has no charts over time.
     *
     * @param maxIntervalCount that charts can show; more rows are joined.
     * @param maxTimelineCount of failover cycles that the page can show.
     * @throws InvalidSettingException which names the file, if this is not a result folder, or it has an unknown format
     *                                 version, or is damaged.
     */
    static ObjectNode read(final Path folder, final int maxIntervalCount, final int maxTimelineCount)
    {
        final JsonNode manifest = RunDocument.read(folder);
        final boolean isWhole = Files.exists(folder.resolve(FileNames.INTERVALS));
        final ChartSeries series = !isWhole ? new ChartSeries(new CsvTable(List.of()), maxIntervalCount) : Documents.read(
            folder.resolve(FileNames.INTERVALS), (file) -> new ChartSeries(
            CsvTable.read(file).having(List.of(IntervalFiles.COLUMNS.split(","))), maxIntervalCount));
        final ObjectNode run = JsonNodeFactory.instance.objectNode();
        run.set("manifest", manifest);
        final ObjectNode curves = run.putObject("curves");
        for (final Time time : Time.OF_MESSAGES)
        {
            final Path file = folder.resolve(time.percentiles());
            final boolean isRequired = Time.RESPONSE == time || isWhole && Time.RECEIVE_LATENESS != time;
            curves.set(time.key(), !isRequired && !Files.exists(file) ? JsonNodeFactory.instance.arrayNode() : Documents.read(
                file, (one) -> PercentileCurve.parse(Files.readAllLines(one, StandardCharsets.UTF_8))));
        }
        run.set("intervals", series.node());
        final ArrayNode cells = run.putArray("cells");
        for (final Time time : CHARTED)
        {
            final boolean isKnown = Time.RECEIVE_LATENESS != time || isWhole && Files.exists(folder.resolve(time.percentiles()));
            if (isKnown)
            {
                final ObjectNode times = series.node().putObject(time.key() + "Ns");
                Percentile.MAIN.forEach((percentile) -> times.putArray(percentile.label()));
                if (isWhole)
                {
                    Documents.read(folder.resolve(time.log()), (file) ->
                        Distribution.read(file, series, times, Time.RESPONSE == time ? cells : null));
                }
            }
        }
        final ObjectNode counters = run.putObject("counters");
        counters.putObject("processes");
        counters.putObject("machine");
        if (isWhole)
        {
            putCounters(run, folder, series);
        }
        if (Files.isRegularFile(folder.resolve(DocumentKind.FAILOVER.fileName())))
        {
            final FailoverRun failover = FailoverRun.read(folder);
            Documents.read(folder.resolve(FileNames.TIMELINE), (file) ->
            {
                failover.put(run.putObject("failover"), CsvTable.read(file), maxTimelineCount);
                return run;
            });
        }
        return run;
    }

    private static void putCounters(final ObjectNode run, final Path folder, final ChartSeries series)
    {
        Documents.read(folder.resolve(FileNames.MACHINE), (file) ->
        {
            final CsvTable machine = CsvTable.read(file);
            series.put(
                run.withObject("/counters/machine"), machine, IntStream.range(0, machine.rowCount()).boxed().toList());
            return machine;
        });
        Documents.read(folder.resolve(FileNames.COUNTERS), (file) ->
        {
            final CsvTable counters = CsvTable.read(file);
            final Map<String, List<Integer>> rows = IntStream.range(0, counters.rowCount()).boxed().collect(
                Collectors.groupingBy((row) -> counters.text(row, "process"), LinkedHashMap::new, Collectors.toList()));
            final ObjectNode processes = run.withObject("/counters/processes");
            rows.forEach((process, ofProcess) -> series.put(processes.putObject(process), counters, ofProcess));
            return counters;
        });
    }
}
