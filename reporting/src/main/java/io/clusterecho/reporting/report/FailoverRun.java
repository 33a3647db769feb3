package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.statistics.NearestRank;

/**
 * The result of a failover test, without that of its load.
 *
 * @param result        as written, of a format version that this program knows.
 * @param document      the same, bound.
 * @param timelines     by the number of the cycle; a selection if there are too many for a page.
 * @param timelineCount that were stored.
 */
record FailoverRun(
    JsonNode result, FailoverDocument document, SortedMap<Integer, List<FailoverStretch>> timelines, int timelineCount)
{
    private static final double MS_PER_S = 1e3;
    private static final List<String> REQUIRED_FIELDS = List.of(
        "/verdict/good", "/verdict/reasons", "/delivery", "/acknowledged", "/acknowledgedLost", "/appliedTwice", "/resent",
        "/outageBoundNs", "/outageNs/median", "/phases", "/audit/clean", "/audit/findings", "/cycles");

    /**
     * The test in a folder, without its timelines.
     *
     * @throws io.clusterecho.settings.InvalidSettingException if its document is damaged or of an unknown format.
     */
    static FailoverRun read(final Path folder)
    {
        return Documents.read(folder, DocumentKind.FAILOVER, REQUIRED_FIELDS, (tree) ->
            new FailoverRun(tree, Documents.bind(tree, FailoverDocument.class), new TreeMap<>(), 0));
    }

    /**
     * The same test with its timelines.
     *
     * @param maxCount of cycles that the page can show.
     * @throws IllegalArgumentException which names the damaged line.
     */
    FailoverRun with(final CsvTable table, final int maxCount)
    {
        table.having(FailoverStretch.COLUMNS);
        final SortedMap<Integer, List<FailoverStretch>> all = new TreeMap<>();
        for (int row = 0; row < table.rowCount(); row++)
        {
            all.computeIfAbsent((int)table.count(row, "cycle"), (cycle) -> new ArrayList<>())
                .add(FailoverStretch.of(table, row));
        }
        final int count = all.size();
        all.keySet().retainAll(chosen(document, maxCount));
        return new FailoverRun(result, document, all, count);
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
        final List<Cycle> byOutage = cycles.stream()
            .sorted(Comparator.comparingLong((cycle) -> -cycle.outageNs())).toList();
        final List<Cycle> byInterest = new ArrayList<>();
        cycles.stream().filter(Cycle::isProblematic).forEach(byInterest::add);
        if (!byOutage.isEmpty())
        {
            byInterest.add(byOutage.get(0));
            byInterest.add(byOutage.get(byOutage.size() - 1));
            byInterest.add(byOutage.get(byOutage.size() - 1 - NearestRank.index(byOutage.size(), NearestRank.MEDIAN)));
        }
        byInterest.addAll(cycles);

        final SortedSet<Integer> numbers = new TreeSet<>();
        for (final Cycle cycle : byInterest)
        {
            if (numbers.size() < maxCount)
            {
                numbers.add(cycle.number());
            }
        }

        return numbers;
    }

    String verdict()
    {
        final StoredVerdict verdict = document.verdict();
        return null != verdict.label() ? verdict.label() : verdict.good() ? "GOOD" :
            Boolean.TRUE.equals(verdict.partial()) && verdict.reasons().isEmpty() ? "PARTIAL" : "FAILED";
    }

    /** Add its numbers to those of a page. */
    void put(final ObjectNode node)
    {
        node.put("verdict", verdict());
        node.set("result", result);
        final ObjectNode bands = node.putObject("bands");
        for (final Cycle cycle : document.cycles())
        {
            final ArrayNode list = bands.putArray(String.valueOf(cycle.number()));
            for (final PhaseBand band : PhaseBand.of(cycle))
            {
                list.addObject().put("lane", band.lane()).put("name", band.name())
                    .put("fromNs", band.fromNs()).put("toNs", band.toNs());
            }
        }

        node.put("timelineCount", timelineCount);
        final ObjectNode shown = node.putObject("timelines");
        timelines.forEach((cycle, stretches) -> putTimeline(shown.putObject(String.valueOf(cycle)), stretches));
    }

    private static void putTimeline(final ObjectNode node, final List<FailoverStretch> stretches)
    {
        // The first and the last may be shorter.
        final double longestMs = stretches.stream().mapToDouble(FailoverStretch::lengthMs).max().orElse(0);
        node.put("stretchMs", longestMs);
        ReportData.put(node.putArray("atMs"), stretches, (stretch) -> (stretch.beginMs() + stretch.endMs()) / 2, 1e4);
        putRates(node.putArray("duePerS"), stretches, FailoverStretch::due, longestMs);
        putRates(node.putArray("answeredPerS"), stretches, FailoverStretch::answered, longestMs);
        putRates(node.putArray("unansweredPerS"), stretches, FailoverStretch::unanswered, longestMs);
        putTimes(node.putArray("p50Us"), stretches, FailoverStretch::p50Us);
        putTimes(node.putArray("p99Us"), stretches, FailoverStretch::p99Us);
        putTimes(node.putArray("maxUs"), stretches, FailoverStretch::maxUs);
    }

    /** Null for a stretch less than half as long as the others: a rate over so short a time is noise. */
    private static void putRates(
        final ArrayNode values, final List<FailoverStretch> stretches, final ToLongFunction<FailoverStretch> count,
        final double longestMs)
    {
        ReportData.put(values, stretches, (stretch) -> 2 * stretch.lengthMs() < longestMs ? Double.NaN :
            count.applyAsLong(stretch) * MS_PER_S / stretch.lengthMs(), 1);
    }

    /** A resolution of 0.1 us below 1 ms and of 1 us above. */
    private static void putTimes(
        final ArrayNode values, final List<FailoverStretch> stretches, final ToDoubleFunction<FailoverStretch> timeUs)
    {
        ReportData.put(values, stretches, (stretch) ->
            timeUs.applyAsDouble(stretch) >= 1e3 ? Math.rint(timeUs.applyAsDouble(stretch)) : timeUs.applyAsDouble(stretch), 10);
    }
}
