package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.clusterecho.reporting.results.CsvTable;

/**
 * Counters of processes and machine, per second, and the largest stall and lag of a backup, for the intervals of the page.
 *
 * @param processes name to column to values, one for each interval, NaN where the file has none.
 */
record CounterSeries(Map<String, Map<String, double[]>> processes, Map<String, double[]> machine)
{
    static final CounterSeries NONE = new CounterSeries(Map.of(), Map.of());

    private static final List<String> PROCESS_COLUMNS = List.of(
        "cpu_ms", "run_delay_ms", "collection_ms", "safepoint_ms", "naks_sent", "retransmits", "sender_limited",
        "back_pressure", "replies_back_pressured", "write_ms", "errors");
    /** Columns of which merged rows have the largest value, and not the sum per second. */
    private static final List<String> LARGEST_COLUMNS = List.of("stall_ms", "backup_lag_max_bytes", "backup_lag_max_ms");
    private static final List<String> MACHINE_COLUMNS =
        List.of("user_ms", "system_ms", "idle_ms", "io_wait_ms", "steal_ms", "throttled_ms");

    /**
     * Merge rows as the rows of the intervals were merged.
     *
     * @param counters  with a row for each process in each row of the intervals, or without rows in folders of earlier versions.
     * @param machine   with a row for each row of the intervals, or without rows.
     * @return only columns with a value above 0.
     * @throws IllegalArgumentException whose message names the line of a field that is not a number.
     */
    static CounterSeries of(final List<Interval> intervals, final CsvTable counters, final CsvTable machine)
    {
        final Map<String, List<Integer>> rows = new LinkedHashMap<>();
        for (int row = 0; row < counters.rowCount(); row++)
        {
            rows.computeIfAbsent(counters.text(row, "process"), (name) -> new ArrayList<>()).add(row);
        }

        final Map<String, Map<String, double[]>> processes = new LinkedHashMap<>();
        rows.forEach((process, ofProcess) ->
        {
            final Map<String, double[]> series = series(intervals, counters, ofProcess, PROCESS_COLUMNS, false);
            series.putAll(series(intervals, counters, ofProcess, LARGEST_COLUMNS, true));
            processes.put(process, series);
        });
        final List<Integer> all = IntStream.range(0, machine.rowCount()).boxed().toList();
        return new CounterSeries(processes, series(intervals, machine, all, MACHINE_COLUMNS, false));
    }

    private static Map<String, double[]> series(
        final List<Interval> intervals, final CsvTable table, final List<Integer> rows, final List<String> columns,
        final boolean isLargest)
    {
        final Map<String, double[]> series = new LinkedHashMap<>();
        for (final String column : columns)
        {
            final double[] values = new double[intervals.size()];
            double all = 0;
            int next = 0;
            for (int i = 0; i < values.length; i++)
            {
                double sum = Double.NaN;
                for (int joined = 0; joined < intervals.get(i).rowCount() && next < rows.size(); joined++)
                {
                    final double value = table.number(rows.get(next++), column);
                    sum = Double.isNaN(value) ? sum : Double.isNaN(sum) ? value : isLargest ? Math.max(sum, value) : sum + value;
                }
                // A rate over the few milliseconds of a last interval is noise.
                final boolean isShort = intervals.get(i).lengthS() < intervals.get(0).lengthS() / 2;
                values[i] = isLargest ? sum : isShort ? Double.NaN : sum / intervals.get(i).lengthS();
                all += Double.isNaN(values[i]) ? 0 : values[i];
            }
            if (all > 0)
            {
                series.put(column, values);
            }
        }

        return series;
    }
}
