package io.clusterecho.client.sweep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.results.Percentile;

/** The runs of a sweep as CSV, a row each. Times are in us. */
final class SweepCsv
{
    private static final double NS_PER_US = 1e3;

    private SweepCsv()
    {
    }

    /** The table of a sweep with one run or more. */
    static String text(final SweepRecord sweep)
    {
        final List<Map<String, String>> rows = sweep.runs().stream().map((run) -> row(sweep, run)).toList();
        return Stream.concat(Stream.of(rows.get(0).keySet()), rows.stream().map(Map::values))
            .map((fields) -> String.join(",", fields) + "\n").collect(Collectors.joining());
    }

    private static Map<String, String> row(final SweepRecord sweep, final SweepRun run)
    {
        final Cell cell = sweep.cell(run.cell());
        final Map<String, String> row = new LinkedHashMap<>();
        row.put("run", String.valueOf(sweep.runs().indexOf(run) + 1));
        row.put("repeat", String.valueOf(run.repeat()));
        row.put("cell", String.valueOf(cell.number()));
        cell.values().forEach((dimension, value) -> row.put(dimension.key(), value));
        row.put("rate_per_second", String.valueOf(
            cell.isSearch() || !cell.isAtARate() ? run.foundRatePerSecond() : sweep.ratePerSecond(cell)));
        row.put("verdict", run.verdict().label());
        row.put("achieved", number(run.isMeasured() ? run.ratePerSecondAchieved() : null, 1));
        for (final Percentile percentile : Percentile.values())
        {
            row.put("response_" + percentile.label() + "_us",
                number(run.isMeasured() ? SweepRun.at(run.responseTimeNs(), percentile) : null, NS_PER_US));
        }
        row.put("response_" + SweepRun.P99_5 + "_us", number(run.responseP99_5Ns(), NS_PER_US));
        SweepRun.MemberReturn.NUMBERS.forEach((name, part) -> row.put(
            // For instance caught_up_us of caughtUpNs.
            name.replaceFirst("Ns$", "Us").replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT),
            number(null == run.memberReturn() ? null : part.apply(run.memberReturn()), NS_PER_US)));
        row.put("start", Objects.toString(run.start(), ""));
        row.put("folder", Objects.toString(run.folder(), ""));
        row.put("reasons",
            "\"" + String.join("; ", run.reasons()).replace("\"", "\"\"").replaceAll("\\R", " / ") + "\"");
        return row;
    }

    private static String number(final Number value, final double unit)
    {
        return null == value ? "" : String.format(Locale.ROOT, "%.3f", value.doubleValue() / unit);
    }
}
