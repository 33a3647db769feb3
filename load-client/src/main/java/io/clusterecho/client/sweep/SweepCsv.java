package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;

/** A sweep as CSV: a row for each cell, and a row for each run. Times are in us. */
final class SweepCsv
{
    private static final double NS_PER_US = 1e3;

    private SweepCsv()
    {
    }

    static String cells(final SweepRecord sweep)
    {
        final Map<String, Function<CellSummary, String>> columns = new LinkedHashMap<>();
        putCell(columns, CellSummary::cell, (summary) -> sweep.ratePerSecond(summary.cell()));
        columns.put("verdict", CellSummary::verdict);
        columns.put("runs", (summary) -> String.valueOf(summary.runs().size()));
        columns.put("good_runs", (summary) -> String.valueOf(summary.goodCount()));
        columns.put("highest_rate_min", (summary) -> number(summary.highestRate(), Spread::min, 1));
        columns.put("highest_rate_max", (summary) -> number(summary.highestRate(), Spread::max, 1));
        columns.put("achieved", (summary) -> number(summary.spread(SweepRun::ratePerSecondAchieved), Spread::median, 1));
        for (final Percentile percentile : Percentile.values())
        {
            putTimes(columns, "response_" + percentile.label(), (summary) -> summary.spread(percentile));
        }
        for (final Percentile percentile : List.of(Percentile.P50, Percentile.P99))
        {
            columns.put("service_" + percentile.label() + "_us", (summary) ->
                number(summary.spread((run) -> run.serviceTimeNs().at(percentile)), Spread::median, NS_PER_US));
        }
        for (final Percentile percentile : List.of(Percentile.P50, Percentile.P99))
        {
            columns.put("send_delay_" + percentile.label() + "_us", (summary) ->
                number(summary.spread((run) -> run.sendDelayNs().at(percentile)), Spread::median, NS_PER_US));
        }
        SweepRun.MemberReturn.NUMBERS.forEach((name, part) ->
            putTimes(columns, column(name), (summary) -> summary.ofReturns(part)));
        columns.put("durability", (summary) -> quoted(summary.first(SweepRun::durability)));
        columns.put("reasons", (summary) -> quoted(String.join("; ", summary.reasons())));
        return text(columns, sweep.summaries());
    }

    static String runs(final SweepRecord sweep)
    {
        final List<SweepRun> runs = sweep.runs();
        final Map<String, Function<SweepRun, String>> columns = new LinkedHashMap<>();
        columns.put("run", (run) -> String.valueOf(runs.indexOf(run) + 1));
        columns.put("repeat", (run) -> String.valueOf(run.repeat()));
        putCell(columns, (run) -> sweep.cell(run.cell()), (run) ->
        {
            final Cell cell = sweep.cell(run.cell());
            return !cell.isSearch() ? sweep.ratePerSecond(cell) : run.isMeasured() ? run.ratePerSecondAsked() : 0;
        });
        columns.put("verdict", (run) -> run.verdict().label());
        columns.put("achieved", (run) -> number(run.isMeasured() ? run.ratePerSecondAchieved() : null, 1));
        for (final Percentile percentile : Percentile.values())
        {
            columns.put("response_" + percentile.label() + "_us", (run) ->
                number(run.isMeasured() ? run.responseTimeNs().at(percentile) : null, NS_PER_US));
        }
        SweepRun.MemberReturn.NUMBERS.forEach((name, part) -> columns.put(column(name) + "_us", (run) ->
            number(null == run.memberReturn() ? null : part.apply(run.memberReturn()), NS_PER_US)));
        columns.put("start", (run) -> Objects.toString(run.start(), ""));
        columns.put("folder", (run) -> Objects.toString(run.folder(), ""));
        columns.put("reasons", (run) -> quoted(String.join("; ", run.reasons())));
        return text(columns, runs);
    }

    private static <T> void putCell(
        final Map<String, Function<T, String>> columns, final Function<T, Cell> cell, final Function<T, Long> ratePerSecond)
    {
        columns.put("cell", (row) -> String.valueOf(cell.apply(row).number()));
        for (final Dimension dimension : Dimension.values())
        {
            columns.put(dimension.key(), (row) -> cell.apply(row).value(dimension));
        }
        columns.put("rate_per_second", (row) -> String.valueOf(ratePerSecond.apply(row)));
    }

    /** Median, smallest and largest. */
    private static <T> void putTimes(
        final Map<String, Function<T, String>> columns, final String name, final Function<T, Spread> timesNs)
    {
        columns.put(name + "_us", (row) -> number(timesNs.apply(row), Spread::median, NS_PER_US));
        columns.put(name + "_min_us", (row) -> number(timesNs.apply(row), Spread::min, NS_PER_US));
        columns.put(name + "_max_us", (row) -> number(timesNs.apply(row), Spread::max, NS_PER_US));
    }

    private static <T> String text(final Map<String, Function<T, String>> columns, final List<T> rows)
    {
        final List<String> lines = new ArrayList<>(List.of(String.join(",", columns.keySet())));
        rows.forEach((row) -> lines.add(String.join(",", columns.values().stream().map((column) -> column.apply(row)).toList())));
        return String.join("\n", lines) + "\n";
    }

    private static String number(final Spread spread, final ToDoubleFunction<Spread> part, final double unit)
    {
        return number(null == spread ? null : part.applyAsDouble(spread), unit);
    }

    private static String number(final Number value, final double unit)
    {
        return null == value ? "" : String.format(Locale.ROOT, "%.3f", value.doubleValue() / unit);
    }

    /** For instance {@code caught_up} of {@code caughtUpNs}. */
    private static String column(final String name)
    {
        return name.replaceFirst("Ns$", "").replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static String quoted(final String text)
    {
        return "\"" + text.replace("\"", "\"\"").replaceAll("\\R", " / ") + "\"";
    }
}
