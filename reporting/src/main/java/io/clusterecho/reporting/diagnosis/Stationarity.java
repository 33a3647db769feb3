package io.clusterecho.reporting.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.reporting.confidence.ChangePoint;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/**
 * Finds changes of level in the response time along the measured window of a run, and the counters that changed at the same
 * time.
 */
public final class Stationarity
{
    /** Fewest intervals of a window that is judged. */
    static final int MIN_COUNT = 20;

    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;
    /** A smaller change of a median does not matter. */
    private static final double MIN_EFFECT = 0.1;
    private static final double MIN_COUNTER_FACTOR = 1.5;
    private static final double MIN_MS_PER_S = 50;
    private static final int MAX_COUNTERS = 3;
    private static final String MIB = "MiB";
    private static final String TIME = "ms/s";
    private static final List<String> TIMES = List.of("p50", "p99");

    /**
     * A column of the counters that may explain a change.
     *
     * @param unit  of a level, or of a time in each second.
     * @param least smallest difference that counts, in this unit.
     */
    private record Suspect(String column, String name, String unit, double least)
    {
        boolean isLevel()
        {
            return MIB.equals(unit);
        }
    }

    private static final List<Suspect> OF_PROCESSES = List.of(
        new Suspect("cpu_ms", "core time", TIME, MIN_MS_PER_S),
        new Suspect("run_delay_ms", "waiting for a core", TIME, MIN_MS_PER_S),
        new Suspect("compile_ms", "compilation", TIME, MIN_MS_PER_S),
        new Suspect("collection_ms", "collections", TIME, MIN_MS_PER_S),
        new Suspect("safepoint_ms", "safepoints", TIME, MIN_MS_PER_S),
        new Suspect("write_ms", "writes of the log", TIME, MIN_MS_PER_S),
        new Suspect("memory_mib", "memory (heap, stacks, code)", MIB, 64));

    private static final List<Suspect> OF_MACHINE = List.of(
        new Suspect("io_pressure_ms", "waiting for a disk", TIME, MIN_MS_PER_S),
        new Suspect("dirty_mib", "unwritten pages", MIB, 64),
        new Suspect("writeback_mib", "pages being written", MIB, 16));

    /** Grows all the time: it explains nothing by itself, and no fall. */
    private static final Suspect LOG = new Suspect("log_mib", "length of the log", MIB, 256);

    /** @param size of a change, as a multiple of the smallest that counts. */
    private record Shift(String text, double size)
    {
    }

    /** Judge a run, by its response times alone if there are no counters. */
    public static SteadyState of(final IntervalTable run)
    {
        return run.examine(
            (table) -> judge(table.measured()), (why) -> SteadyState.unknown("the series cannot be read: " + why));
    }

    private static SteadyState judge(final IntervalTable seen)
    {
        // Intervals without replies have no percentiles, and the first and the last are often short.
        final int[] rows = IntStream.range(0, seen.rowCount())
            .filter((row) -> seen.interval(row, "response_p50_us") > 0 && seen.lengthMs(row) > seen.lengthMs(0) / 2).toArray();
        if (rows.length < MIN_COUNT)
        {
            return SteadyState.unknown(
                "the measured window has " + rows.length + " intervals with replies, fewer than " + MIN_COUNT);
        }

        final List<String> reasons = new ArrayList<>();
        int from = 0;
        int last;
        do
        {
            last = from;
            for (final String time : TIMES)
            {
                from = Math.max(from, change(seen, rows, last, time, reasons));
            }
        }
        while (from > last && from <= rows.length / 2);
        final boolean isReached = from <= rows.length / 2;
        return new SteadyState(
            isReached, isReached ? Math.round(NS_PER_S * seen.interval(rows[from], "begin_s")) : null, reasons);
    }

    /** Index of the row after the change, or that of the first row if there is none. */
    private static int change(
        final IntervalTable seen, final int[] rows, final int begin, final String time, final List<String> reasons)
    {
        final IntToDoubleFunction ofRow = (row) -> seen.interval(row, "response_" + time + "_us");
        final int at = begin + ChangePoint.of(Arrays.stream(rows, begin, rows.length).mapToDouble(ofRow).toArray());
        if (at == begin)
        {
            return begin;
        }

        final double before = NS_PER_US * median(rows, begin, at, ofRow);
        final double after = NS_PER_US * median(rows, at, rows.length, ofRow);
        if (Math.abs(after - before) < MIN_EFFECT * Math.min(before, after))
        {
            return begin;
        }
        final String counters = counters(seen, Arrays.copyOfRange(rows, begin, rows.length), at - begin, after > before);
        reasons.add(Lines.text(
            "%s changed from %s to %s, %.1f s after the start of the warm-up%s", time, Quantity.formatNs(before),
            Quantity.formatNs(after), seen.interval(rows[at], "begin_s"), counters.isEmpty() ? "" : " (with " + counters + ")"));
        return at;
    }

    /** Counters that changed at the same time, for a person: those with the largest changes first, and a log that grew last. */
    private static String counters(final IntervalTable seen, final int[] rows, final int at, final boolean isSlower)
    {
        final Stream<Shift> ofProcesses = seen.processes().stream().flatMap((process) -> OF_PROCESSES.stream().flatMap((one) ->
            shift(one, " of " + process, (row) -> seen.of(process, row, one.column), seen, rows, at)));
        final Stream<Shift> ofMachine = OF_MACHINE.stream().flatMap((one) ->
            shift(one, " of the machine", (row) -> seen.machine(row, one.column), seen, rows, at));
        final Stream<Shift> ofLog = !isSlower ? Stream.empty() : shift(
            LOG, "", (row) -> seen.most((one) -> seen.of(one, row, LOG.column)), seen, rows, at);
        return Stream.concat(
            Stream.concat(ofProcesses, ofMachine).sorted(Comparator.comparingDouble(Shift::size).reversed()).limit(MAX_COUNTERS),
            ofLog).map(Shift::text).collect(Collectors.joining(", "));
    }

    /** The change of a counter if its median changed enough. */
    private static Stream<Shift> shift(
        final Suspect suspect,
        final String owner,
        final IntToDoubleFunction ofRow,
        final IntervalTable seen,
        final int[] rows,
        final int at)
    {
        final IntToDoubleFunction value =
            suspect.isLevel() ? ofRow : (row) -> MS_PER_S * ofRow.applyAsDouble(row) / seen.lengthMs(row);
        final double before = median(rows, 0, at, value);
        final double after = median(rows, at, rows.length, value);
        final double difference = Math.abs(after - before);
        final boolean isLarge =
            difference >= suspect.least && Math.max(before, after) >= MIN_COUNTER_FACTOR * Math.min(before, after);
        return !isLarge ? Stream.empty() : Stream.of(new Shift(
            Lines.text("%s%s from %.0f to %.0f %s", suspect.name, owner, before, after, suspect.unit),
            difference / suspect.least));
    }

    private static double median(final int[] rows, final int begin, final int end, final IntToDoubleFunction value)
    {
        return NearestRank.of(Arrays.stream(rows, begin, end).mapToDouble(value).toArray(), NearestRank.MEDIAN);
    }
}
