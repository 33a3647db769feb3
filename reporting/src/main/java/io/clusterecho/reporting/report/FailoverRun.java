package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.statistics.NearestRank;

/**
 * The result of a failover test, without that of its load.
 *
 * @param result   as written, of a format version that this program knows.
 * @param document the same, bound.
 */
record FailoverRun(JsonNode result, FailoverDocument document)
{
    private static final double MS_PER_S = 1e3;
    private static final List<String> COUNTS = List.of("due", "answered", "unanswered");
    private static final List<String> TIMES = List.of("p50", "p99", "max");

    /**
     * The test in a folder.
     *
     * @throws io.clusterecho.settings.InvalidSettingException if its document is damaged or of an unknown format.
     */
    static FailoverRun read(final Path folder)
    {
        return Documents.read(folder, DocumentKind.FAILOVER, (tree) ->
            new FailoverRun(tree, Documents.bind(tree, FailoverDocument.class)));
    }

    /**
     * Add its numbers to those of a page, with a selection of its timelines if there are too many.
     *
     * @param table    with a row for each slice of time around a fault; empty in folders of older versions.
     * @param maxCount of cycles that the page can show.
     * @throws IllegalArgumentException which names the damaged line.
     */
    void put(final ObjectNode node, final CsvTable table, final int maxCount)
    {
        final List<String> columns = new ArrayList<>(List.of("cycle", "begin_ms", "end_ms"));
        columns.addAll(COUNTS);
        TIMES.forEach((time) -> columns.add(timeColumn(time)));
        table.having(table.columns().isEmpty() ? List.of() : columns);
        final SortedMap<Integer, List<Integer>> rows = IntStream.range(0, table.rowCount()).boxed().collect(
            Collectors.groupingBy((row) -> (int)table.count(row, "cycle"), TreeMap::new, Collectors.toList()));
        node.put("verdict", document.verdict().label());
        node.set("result", result);
        final ObjectNode bands = node.putObject("bands");
        document.cycles().forEach((cycle) ->
            bands.set(String.valueOf(cycle.number()), Documents.tree(PhaseBand.of(cycle))));
        node.put("timelineCount", rows.size());
        final ObjectNode shown = node.putObject("timelines");
        rows.keySet().retainAll(chosen(document, maxCount));
        rows.forEach((cycle, ofCycle) -> shown.set(String.valueOf(cycle), timeline(table, ofCycle)));
    }

    private static String timeColumn(final String time)
    {
        return "response_" + time + "_us";
    }

    private static ObjectNode timeline(final CsvTable table, final List<Integer> rows)
    {
        // The first and the last may be shorter.
        final double longestMs = rows.stream().mapToDouble((row) -> lengthMs(table, row)).max().orElse(0);
        final ObjectNode node = JsonNodeFactory.instance.objectNode().put("stretchMs", longestMs);
        node.set("atMs", ChartSeries.array(rows.stream()
            .mapToDouble((row) -> (table.given(row, "begin_ms") + table.given(row, "end_ms")) / 2), 1e4));
        for (final String name : COUNTS)
        {
            // A rate over less than half of the time is noise.
            node.set(name + "PerS", ChartSeries.array(rows.stream().mapToDouble((row) -> 2 * lengthMs(table, row) < longestMs ?
                Double.NaN : table.given(row, name) * MS_PER_S / lengthMs(table, row)), 1));
        }
        for (final String name : TIMES)
        {
            // A resolution of 0.1 us below 1 ms and of 1 us above.
            node.set(name + "Us", ChartSeries.array(rows.stream().mapToDouble((row) -> table.number(row, timeColumn(name)))
                .map((timeUs) -> timeUs >= 1e3 ? Math.rint(timeUs) : timeUs), 10));
        }
        return node;
    }

    private static double lengthMs(final CsvTable table, final int row)
    {
        return table.given(row, "end_ms") - table.given(row, "begin_ms");
    }

    /**
     * The cycles whose timelines a page shows if there are too many for it: those with a problem, those with the longest, the
     * shortest and the median outage, then the others in order.
     *
     * @param maxCount of cycles, from 1.
     */
    static SortedSet<Integer> chosen(final FailoverDocument result, final int maxCount)
    {
        final List<Cycle> cycles = result.cycles();
        final List<Cycle> byInterest = new ArrayList<>(cycles.stream().filter(Cycle::isProblematic).toList());
        if (!cycles.isEmpty())
        {
            final List<Cycle> byOutage = cycles.stream()
                .sorted(Comparator.comparingLong((cycle) -> -cycle.outageNs())).toList();
            final int last = byOutage.size() - 1;
            byInterest.addAll(List.of(
                byOutage.get(0), byOutage.get(last),
                byOutage.get(last - NearestRank.index(byOutage.size(), NearestRank.MEDIAN))));
        }
        byInterest.addAll(cycles);
        return byInterest.stream().map(Cycle::number).distinct().limit(maxCount)
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
