package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;

/** A sweep as CSV: a row for each cell, and a row for each run. Times are in us. */
final class SweepCsv
{
    private static final double NS_PER_US = 1e3;
    private static final String DIMENSIONS =
        Stream.of(Dimension.values()).map(Dimension::key).collect(Collectors.joining(","));

    private SweepCsv()
    {
    }

    static String cells(final SweepRecord sweep)
    {
        final StringBuilder text = new StringBuilder(
            "cell," + DIMENSIONS + ",rate_per_second,verdict,runs,good_runs,highest_rate_min,highest_rate_max,achieved");
        for (final Percentile percentile : Percentile.values())
        {
            final String name = ",response_" + percentile.label();
            text.append(name).append("_us").append(name).append("_min_us").append(name).append("_max_us");
        }
        text.append(",service_p50_us,service_p99_us,send_delay_p50_us,send_delay_p99_us");
        SweepRun.MemberReturn.NUMBERS.keySet().forEach((name) ->
        {
            final String column = "," + column(name);
            text.append(column).append("_us").append(column).append("_min_us").append(column).append("_max_us");
        });
        text.append(",durability,reasons\n");
        for (final CellSummary summary : sweep.summaries())
        {
            final List<String> row = row(summary.cell(), sweep.ratePerSecond(summary.cell()));
            row.add(summary.verdict());
            row.add(String.valueOf(summary.runs().size()));
            row.add(String.valueOf(summary.goodCount()));
            final Spread highest = summary.highestRate();
            row.add(null == highest ? "" : number(highest.min()));
            row.add(null == highest ? "" : number(highest.max()));
            row.add(number(summary.spread(SweepRun::ratePerSecondAchieved), 1));
            for (final Percentile percentile : Percentile.values())
            {
                final Spread spread = summary.spread(percentile);
                row.add(number(spread, NS_PER_US));
                row.add(null == spread ? "" : number(spread.min() / NS_PER_US));
                row.add(null == spread ? "" : number(spread.max() / NS_PER_US));
            }
            row.add(number(summary.spread((run) -> run.serviceTimeNs().at(Percentile.P50)), NS_PER_US));
            row.add(number(summary.spread((run) -> run.serviceTimeNs().at(Percentile.P99)), NS_PER_US));
            row.add(number(summary.spread((run) -> run.sendDelayNs().at(Percentile.P50)), NS_PER_US));
            row.add(number(summary.spread((run) -> run.sendDelayNs().at(Percentile.P99)), NS_PER_US));
            for (final Function<SweepRun.MemberReturn, Number> part : SweepRun.MemberReturn.NUMBERS.values())
            {
                final Spread spread = summary.ofReturns(part);
                row.add(number(spread, NS_PER_US));
                row.add(null == spread ? "" : number(spread.min() / NS_PER_US));
                row.add(null == spread ? "" : number(spread.max() / NS_PER_US));
            }
            row.add(quoted(summary.first(SweepRun::durability)));
            row.add(quoted(String.join("; ", summary.reasons())));
            text.append(String.join(",", row)).append('\n');
        }

        return text.toString();
    }

    static String runs(final SweepRecord sweep)
    {
        final StringBuilder text = new StringBuilder("run,repeat,cell," + DIMENSIONS + ",rate_per_second,verdict,achieved");
        for (final Percentile percentile : Percentile.values())
        {
            text.append(",response_").append(percentile.label()).append("_us");
        }
        SweepRun.MemberReturn.NUMBERS.keySet().forEach((name) -> text.append(',').append(column(name)).append("_us"));
        text.append(",start,folder,reasons\n");
        int number = 0;
        for (final SweepRun run : sweep.runs())
        {
            final List<String> row = new ArrayList<>(List.of(String.valueOf(++number), String.valueOf(run.repeat())));
            final Cell cell = sweep.cell(run.cell());
            row.addAll(row(cell, !cell.isSearch() ? sweep.ratePerSecond(cell) : run.isMeasured() ? run.ratePerSecondAsked() : 0));
            row.add(run.verdict().label());
            row.add(run.isMeasured() ? number(run.ratePerSecondAchieved()) : "");
            for (final Percentile percentile : Percentile.values())
            {
                row.add(inUs(run.isMeasured() ? run.responseTimeNs().at(percentile) : null));
            }
            for (final Function<SweepRun.MemberReturn, Number> part : SweepRun.MemberReturn.NUMBERS.values())
            {
                final Number value = null == run.memberReturn() ? null : part.apply(run.memberReturn());
                row.add(inUs(value));
            }
            row.add(Objects.toString(run.start(), ""));
            row.add(Objects.toString(run.folder(), ""));
            row.add(quoted(String.join("; ", run.reasons())));
            text.append(String.join(",", row)).append('\n');
        }

        return text.toString();
    }

    private static List<String> row(final Cell cell, final long ratePerSecond)
    {
        final List<String> row = new ArrayList<>();
        row.add(String.valueOf(cell.number()));
        for (final Dimension dimension : Dimension.values())
        {
            row.add(cell.value(dimension));
        }
        row.add(String.valueOf(ratePerSecond));
        return row;
    }

    private static String number(final Spread spread, final double unit)
    {
        return null == spread ? "" : number(spread.median() / unit);
    }

    private static String inUs(final Number timeNs)
    {
        return null == timeNs ? "" : number(timeNs.doubleValue() / NS_PER_US);
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, "%.3f", value);
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
