package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code intervals.csv}, and merges its rows until a chart can show them. */
final class Intervals
{
    private static final List<String> COLUMNS = List.of(
        "begin_s", "end_s", "phase", "leader", "sent", "answered", "in_flight", "back_pressured", "disconnected");
    private static final String TARGET = "target_per_s";

    private Intervals()
    {
    }

    /**
     * Read rows. Columns are found by name, so that a file may have more of them, in any order.
     *
     * @return one interval a row.
     * @throws IllegalArgumentException which names the damaged line.
     */
    static List<Interval> parse(final List<String> lines)
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
        if (header.contains(TARGET))
        {
            indexes.put(TARGET, header.indexOf(TARGET));
        }

        final List<Interval> intervals = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++)
        {
            final String[] fields = lines.get(i).split(",", -1);
            if (fields.length != header.size())
            {
                throw new IllegalArgumentException(
                    "line " + (i + 1) + " has " + fields.length + " fields, the header has " + header.size());
            }
            intervals.add(interval(indexes, fields, i + 1));
        }

        return intervals;
    }

    private static Interval interval(final Map<String, Integer> indexes, final String[] fields, final int number)
    {
        try
        {
            return new Interval(
                Double.parseDouble(fields[indexes.get("begin_s")]),
                Double.parseDouble(fields[indexes.get("end_s")]),
                1,
                fields[indexes.get("phase")],
                fields[indexes.get("leader")],
                Long.parseLong(fields[indexes.get("sent")]),
                Long.parseLong(fields[indexes.get("answered")]),
                Long.parseLong(fields[indexes.get("in_flight")]),
                Long.parseLong(fields[indexes.get("back_pressured")]),
                Long.parseLong(fields[indexes.get("disconnected")]),
                indexes.containsKey(TARGET) ? Double.parseDouble(fields[indexes.get(TARGET)]) : Double.NaN);
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException("line " + number + " has a field that is not a number: " + ex.getMessage(), ex);
        }
    }

    /**
     * Merge adjacent rows of the same phase.
     *
     * @param maxCount of intervals; each change of the phase may add one.
     * @return intervals of equally many rows each, as far as phases allow.
     */
    static List<Interval> join(final List<Interval> rows, final int maxCount)
    {
        final int factor = Math.max(1, (rows.size() + maxCount - 1) / maxCount);
        final List<Interval> joined = new ArrayList<>();
        for (final Interval row : rows)
        {
            final int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).rowCount() < factor && joined.get(last).phase().equals(row.phase()))
            {
                joined.set(last, joined.get(last).join(row));
            }
            else
            {
                joined.add(row);
            }
        }

        return joined;
    }
}
