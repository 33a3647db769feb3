package io.clusterecho.client.report;

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

import io.clusterecho.client.results.DocumentKind;

/**
 * Reads what a failover test has written.
 */
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
     * Check {@code failover.json}.
     *
     * @param result as read.
     * @return the same.
     * @throws IllegalArgumentException whose message says what is wrong with it.
     */
    static JsonNode checked(final JsonNode result)
    {
        final String format = result.path("format").asText();
        if (!DocumentKind.FAILOVER.format().equals(format))
        {
            throw new IllegalArgumentException(
                "its format is '" + format + "', and this version reads '" + DocumentKind.FAILOVER.format() + "'");
        }
        for (final String field : REQUIRED_FIELDS)
        {
            if (result.at(field).isMissingNode())
            {
                throw new IllegalArgumentException("it has no " + field.substring(1).replace('/', '.'));
            }
        }

        return result;
    }

    /**
     * Read {@code timeline.csv}. Columns are found by name.
     *
     * @param lines of the file.
     * @return the rows of each cycle, by its number.
     * @throws IllegalArgumentException whose message names the line and what is wrong with it.
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
     * The cycles whose timelines a page shows when it cannot bear all: those with a problem, the longest outage, the
     * shortest, the middle one, and then the others from the first on.
     *
     * @param result   with its cycles.
     * @param maxCount of cycles, from 1.
     * @return their numbers.
     */
    static SortedSet<Integer> chosen(final JsonNode result, final int maxCount)
    {
        final List<JsonNode> cycles = new ArrayList<>();
        result.get("cycles").forEach(cycles::add);
        final List<JsonNode> byOutage = cycles.stream()
            .sorted(Comparator.comparingLong((cycle) -> -cycle.path("outageNs").asLong())).toList();
        final List<JsonNode> byInterest = new ArrayList<>();
        cycles.stream().filter((cycle) -> !cycle.path("problem").asText().isEmpty()).forEach(byInterest::add);
        if (!byOutage.isEmpty())
        {
            byInterest.add(byOutage.get(0));
            byInterest.add(byOutage.get(byOutage.size() - 1));
            byInterest.add(byOutage.get(byOutage.size() / 2));
        }
        byInterest.addAll(cycles);

        final SortedSet<Integer> numbers = new TreeSet<>();
        for (final JsonNode cycle : byInterest)
        {
            if (numbers.size() < maxCount)
            {
                numbers.add(cycle.path("cycle").asInt());
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
