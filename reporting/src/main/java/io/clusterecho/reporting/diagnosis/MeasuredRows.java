package io.clusterecho.reporting.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.statistics.NearestRank;

/**
 * The series of one run, row by row: response times together with the counters of processes and machine. Missing numbers count
 * as 0. Rows of the warm-up are left out.
 */
final class MeasuredRows
{
    private static final double US_PER_MS = 1e3;
    private static final double MS_PER_S = 1e3;
    /** A row is slow if its p99 is at least this many times the usual median of a row. */
    private static final double SLOW_FACTOR = 5;

    private final IntervalTable run;
    private final CsvTable intervals;
    private final CsvTable machine;
    private final List<String> processes;
    private final int[] rows;
    private final double usualMs;

    MeasuredRows(final IntervalTable run)
    {
        this.run = run;
        intervals = run.intervals();
        machine = run.machine();
        processes = run.processes();
        rows = run.measuredRows();
        final double[] medians = Arrays.stream(rows).mapToDouble((row) -> intervals.number(row, "response_p50_us"))
            .filter((value) -> !Double.isNaN(value)).toArray();
        usualMs = 0 == medians.length ? 0 : NearestRank.of(medians, NearestRank.MEDIAN) / US_PER_MS;
    }

    /** Number of measured rows; row indexes count from 0. */
    int rowCount()
    {
        return rows.length;
    }

    /** Whether there is anything but response times. */
    boolean hasCounters()
    {
        return !processes.isEmpty();
    }

    /** The client and the members of this machine. */
    List<String> processes()
    {
        return processes;
    }

    /** Whether any of them is a member: those of a cluster that is known by its endpoints alone are not seen. */
    boolean hasMembers()
    {
        return processes.stream().anyMatch((process) -> ProcessName.memberId(process).isPresent());
    }

    double lengthMs(final int row)
    {
        return MS_PER_S * (interval(row, "end_s") - interval(row, "begin_s"));
    }

    double p99Ms(final int row)
    {
        return interval(row, "response_p99_us") / US_PER_MS;
    }

    double interval(final int row, final String column)
    {
        return zeroIfNone(intervals.number(rows[row], column));
    }

    String text(final int row, final String column)
    {
        return intervals.text(rows[row], column);
    }

    double machine(final int row, final String column)
    {
        return rows[row] < machine.rowCount() ? zeroIfNone(machine.number(rows[row], column)) : 0;
    }

    /** Whether the machine reported this column. */
    boolean isKnownOfMachine(final int row, final String column)
    {
        return rows[row] < machine.rowCount() && !Double.isNaN(machine.number(rows[row], column));
    }

    double of(final String process, final int row, final String column)
    {
        return zeroIfNone(run.counter(process, rows[row], column));
    }

    boolean isKnown(final String process, final int row, final String column)
    {
        return !Double.isNaN(run.counter(process, rows[row], column));
    }

    /** Sum over all processes. */
    double ofAll(final int row, final String column)
    {
        return processes.stream().mapToDouble((process) -> of(process, row, column)).sum();
    }

    /** The largest amount of any process; 0 if there are none. */
    double most(final ToDoubleFunction<String> ofProcess)
    {
        return processes.stream().mapToDouble(ofProcess).max().orElse(0);
    }

    /** Sum of an amount over all measured rows. */
    double sum(final IntToDoubleFunction ofRow)
    {
        return IntStream.range(0, rowCount()).mapToDouble(ofRow).sum();
    }

    /** Excess of a slow row's response time over the usual, in ms; 0 for a row that was not slow. */
    double excessMs(final int row)
    {
        final double p99Ms = p99Ms(row);
        return p99Ms > SLOW_FACTOR * usualMs ? p99Ms - usualMs : 0;
    }

    private static double zeroIfNone(final double value)
    {
        return Double.isNaN(value) ? 0 : value;
    }
}
