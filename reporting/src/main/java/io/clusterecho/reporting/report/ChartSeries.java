package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.results.CsvTable;

/** The rows of a run's tables as the points of charts: adjacent rows of one phase are joined where there are too many. */
final class ChartSeries
{
    private static final String TARGET = "target_per_s";
    /** Columns of other tables of which a point has the growth per second, and those of which it has the largest value. */
    private static final List<String> GROWTHS = List.of(
        "cpu_ms", "run_delay_ms", "collection_ms", "safepoint_ms", "naks_sent", "retransmits", "sender_limited", "back_pressure",
        "replies_back_pressured", "write_ms", "errors", "user_ms", "system_ms", "idle_ms", "io_wait_ms", "steal_ms",
        "throttled_ms");
    private static final List<String> LEVELS = List.of("stall_ms", "backup_lag_max_bytes", "backup_lag_max_ms");

    private final CsvTable intervals;
    /** First row of each point, and the number of rows at the end. */
    private final List<Integer> begins = new ArrayList<>();
    private final ObjectNode node = JsonNodeFactory.instance.objectNode();

    /** What a point has of the values of its rows. */
    private enum Join
    {
        PER_SECOND, LARGEST, MEAN
    }

    /**
     * @param intervals with a row for each interval.
     * @param maxCount  of points; each change of the phase may add one.
     * @throws IllegalArgumentException which names the damaged line.
     */
    ChartSeries(final CsvTable intervals, final int maxCount)
    {
        this.intervals = intervals;
        final int joinedCount = Math.max(1, (rowCount() + maxCount - 1) / maxCount);
        for (int row = 0; row < rowCount(); row++)
        {
            if (0 == row || row - begins.get(begins.size() - 1) == joinedCount ||
                !intervals.text(row, "phase").equals(intervals.text(row - 1, "phase")))
            {
                begins.add(row);
            }
        }
        begins.add(rowCount());
        putIntervals();
    }

    int rowCount()
    {
        return intervals.rowCount();
    }

    int pointCount()
    {
        return begins.size() - 1;
    }

    /** Number of rows that are joined to a point. */
    int rowCount(final int point)
    {
        return begins.get(point + 1) - begins.get(point);
    }

    /** The series of the intervals. */
    ObjectNode node()
    {
        return node;
    }

    private void putIntervals()
    {
        node.put("rowCount", rowCount());
        node.set("beginS", array(points().mapToDouble((point) -> intervals.given(begins.get(point), "begin_s")), 1e3));
        node.set("endS", array(points().mapToDouble((point) -> intervals.given(last(point), "end_s")), 1e3));
        node.set("phase", texts((point) -> intervals.text(begins.get(point), "phase")));
        node.set("leader", texts((point) -> intervals.text(last(point), "leader")));
        final List<Integer> rows = IntStream.range(0, rowCount()).boxed().toList();
        for (final String column : List.of("sent", "answered", "back_pressured", "disconnected"))
        {
            node.set(
                Counter.camelCase(column.toUpperCase(Locale.ROOT)) + "PerS",
                array(values(intervals, rows, column, Join.PER_SECOND), 10));
        }
        node.set("inFlight", array(values(intervals, rows, "in_flight", Join.LARGEST), 1));
        // Results of earlier builds have no target rates.
        if (intervals.columns().contains(TARGET))
        {
            node.set("targetPerS", array(values(intervals, rows, TARGET, Join.MEAN), 1e3));
        }
    }

    /**
     * Add the columns of another table in which something was counted, none in folders of earlier versions.
     *
     * @param rows of the table, one for each row of the intervals.
     */
    void put(final ObjectNode node, final CsvTable table, final List<Integer> rows)
    {
        Stream.concat(GROWTHS.stream(), LEVELS.stream()).forEach((column) ->
        {
            final double[] values =
                values(table, rows, column, LEVELS.contains(column) ? Join.LARGEST : Join.PER_SECOND).toArray();
            if (Arrays.stream(values).anyMatch((value) -> value > 0))
            {
                node.set(column, array(Arrays.stream(values), 10));
            }
        });
    }

    /**
     * Numbers, null for NaN.
     *
     * @param perUnit steps of a number in 1, to which it is rounded; a chart shows no more, and the page stays small.
     */
    static ArrayNode array(final DoubleStream numbers, final double perUnit)
    {
        final ArrayNode array = JsonNodeFactory.instance.arrayNode();
        numbers.forEach((exact) ->
        {
            final double value = Math.round(exact * perUnit) / perUnit;
            if (Double.isNaN(exact))
            {
                array.addNull();
            }
            else if (value == Math.rint(value))
            {
                array.add((long)value);
            }
            else
            {
                array.add(value);
            }
        });
        return array;
    }

    private DoubleStream values(final CsvTable table, final List<Integer> rows, final String column, final Join join)
    {
        return points().mapToDouble((point) ->
        {
            final double[] known = known(table, rows, column, point);
            final DoubleStream values = Arrays.stream(known);
            // A rate over a few milliseconds, as the last interval of a run often has them, is noise.
            return 0 == known.length || Join.PER_SECOND == join && lengthS(point) < lengthS(0) / 2 ? Double.NaN : switch (join)
            {
                // The machine may have been read late.
                case PER_SECOND -> values.sum() / Arrays.stream(known(table, rows, "elapsed_ms", point))
                    .map((elapsedMs) -> elapsedMs / 1e3).filter((s) -> s > 0).reduce(Double::sum).orElse(lengthS(point));
                case LARGEST -> values.max().orElseThrow();
                case MEAN -> values.average().orElseThrow();
            };
        });
    }

    private double[] known(final CsvTable table, final List<Integer> rows, final String column, final int point)
    {
        return IntStream.range(begins.get(point), Math.min(begins.get(point + 1), rows.size()))
            .mapToDouble((row) -> table.number(rows.get(row), column)).filter((value) -> !Double.isNaN(value)).toArray();
    }

    private IntStream points()
    {
        return IntStream.range(0, pointCount());
    }

    private ArrayNode texts(final IntFunction<String> text)
    {
        return (ArrayNode)Documents.tree(points().mapToObj(text).toList());
    }

    private int last(final int point)
    {
        return begins.get(point + 1) - 1;
    }

    private double lengthS(final int point)
    {
        return intervals.given(last(point), "end_s") - intervals.given(begins.get(point), "begin_s");
    }
}
