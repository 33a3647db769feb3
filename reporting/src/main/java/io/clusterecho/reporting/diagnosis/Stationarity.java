package io.clusterecho.reporting.diagnosis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.clusterecho.reporting.confidence.ChangePoint;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;

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
    /** A smaller change of a median does not matter. */
    private static final double MIN_EFFECT = 0.1;
    private static final double MIN_COUNTER_FACTOR = 1.5;
    private static final double MIN_COUNTER_MS_PER_S = 50;
    private static final int MAX_COUNTERS = 2;
    private static final List<String> TIMES = List.of("p50", "p99");

    /** Counters in ms that may explain a change, with their names. */
    private static final Map<String, String> COUNTERS = new LinkedHashMap<>();

    static
    {
        COUNTERS.put("cpu_ms", "core time");
        COUNTERS.put("run_delay_ms", "waiting for a core");
        COUNTERS.put("collection_ms", "collections");
        COUNTERS.put("safepoint_ms", "safepoints");
        COUNTERS.put("write_ms", "writes of the log");
    }

    private Stationarity()
    {
    }

    /**
     * Judge a stored run.
     *
     * @param folder of the run.
     */
    public static SteadyState of(final Path folder)
    {
        try
        {
            return of(Observation.read(folder));
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            return SteadyState.unknown("the series cannot be read: " + ex.getMessage());
        }
    }

    static SteadyState of(final Observation seen)
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

    /**
     * Index of the row after the change, or that of the first row if there is none.
     */
    private static int change(
        final Observation seen, final int[] rows, final int begin, final String time, final List<String> reasons)
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
        final String counters = counters(seen, rows, begin, at);
        reasons.add(String.format(
            Locale.ROOT, "%s changed from %s to %s, %.1f s after the start%s", time, Quantity.formatNs(before),
            Quantity.formatNs(after), seen.interval(rows[at], "begin_s"), counters.isEmpty() ? "" : " (with " + counters + ")"));
        return at;
    }

    /**
     * Counters that changed most at the same time, for a person.
     */
    private static String counters(final Observation seen, final int[] rows, final int begin, final int at)
    {
        final Map<String, Double> changes = new LinkedHashMap<>();
        for (final String process : seen.processes())
        {
            COUNTERS.forEach((column, name) ->
            {
                final IntToDoubleFunction perS = (row) -> 1e3 * seen.of(process, row, column) / seen.lengthMs(row);
                final double before = median(rows, begin, at, perS);
                final double after = median(rows, at, rows.length, perS);
                final double difference = Math.abs(after - before);
                if (difference >= MIN_COUNTER_MS_PER_S &&
                    Math.max(before, after) >= MIN_COUNTER_FACTOR * Math.min(before, after))
                {
                    changes.put(String.format(
                        Locale.ROOT, "%s of %s from %.0f to %.0f ms/s", name, process, before, after), difference);
                }
            });
        }
        return changes.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())).limit(MAX_COUNTERS)
            .map(Map.Entry::getKey).collect(Collectors.joining(", "));
    }

    private static double median(final int[] rows, final int begin, final int end, final IntToDoubleFunction value)
    {
        return NearestRank.of(Arrays.stream(rows, begin, end).mapToDouble(value).toArray(), NearestRank.MEDIAN);
    }
}
