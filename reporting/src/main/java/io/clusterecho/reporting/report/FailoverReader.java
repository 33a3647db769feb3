package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.statistics.NearestRank;

/** Reads the files of a failover test. */
final class FailoverReader
{
    private static final List<String> REQUIRED_FIELDS = List.of(
        "/verdict/good", "/verdict/reasons", "/delivery", "/acknowledged", "/acknowledgedLost", "/appliedTwice", "/resent",
        "/outageBoundNs", "/outageNs/median", "/phases", "/audit/clean", "/audit/findings", "/cycles");
    private static final List<String> COLUMNS = List.of(
        "cycle", "begin_ms", "end_ms", "due", "answered", "unanswered", "response_p50_us", "response_p99_us",
        "response_max_us");

    private FailoverReader()
    {
    }

    /**
     * Read {@code failover.json}.
     *
     * @return the test without its timelines.
     * @throws IllegalArgumentException if it is damaged or of an unknown format.
     */
    static FailoverRun read(final List<String> lines)
    {
        final JsonNode result = Documents.checked(
            Documents.parse(String.join("\n", lines)), DocumentKind.FAILOVER.format(), REQUIRED_FIELDS);
        return new FailoverRun(result, Documents.bind(result, FailoverDocument.class), new TreeMap<>(), 0);
    }

    /**
     * Read {@code timeline.csv}. Columns are found by name.
     *
     * @return the rows of each cycle, by its number.
     * @throws IllegalArgumentException which names the damaged line.
     */
    static SortedMap<Integer, List<FailoverStretch>> timelines(final List<String> lines)
    {
        final List<String> header = lines.isEmpty() ? List.of() : Arrays.asList(lines.get(0).split(",", -1));
        final Map<String, Integer> indexes = new HashMap<>();
        for (final String column : COLUMNS)
        {
            if (!header.contains(column))
            {
                throw new IllegalArgumentException("line 1 has no column " + column);
            }
            indexes.put(column, header.indexOf(column));
        }

        final SortedMap<Integer, List<FailoverStretch>> timelines = new TreeMap<>();
        for (int i = 1; i < lines.size(); i++)
        {
            final String[] fields = lines.get(i).split(",", -1);
            if (fields.length != header.size())
            {
                throw new IllegalArgumentException(
                    "line " + (i + 1) + " has " + fields.length + " fields, the header has " + header.size());
            }
            try
            {
                timelines.computeIfAbsent(Integer.parseInt(fields[indexes.get("cycle")]), (cycle) -> new ArrayList<>())
                    .add(stretch(indexes, fields));
            }
            catch (final NumberFormatException ex)
            {
                throw new IllegalArgumentException(
                    "line " + (i + 1) + " has a field that is not a number: " + ex.getMessage(), ex);
            }
        }

        return timelines;
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

    private static FailoverStretch stretch(final Map<String, Integer> indexes, final String[] fields)
    {
        return new FailoverStretch(
            Double.parseDouble(fields[indexes.get("begin_ms")]),
            Double.parseDouble(fields[indexes.get("end_ms")]),
            Long.parseLong(fields[indexes.get("due")]),
            Long.parseLong(fields[indexes.get("answered")]),
            Long.parseLong(fields[indexes.get("unanswered")]),
            time(fields[indexes.get("response_p50_us")]),
            time(fields[indexes.get("response_p99_us")]),
            time(fields[indexes.get("response_max_us")]));
    }

    private static double time(final String field)
    {
        return field.isEmpty() ? Double.NaN : Double.parseDouble(field);
    }
}
