package io.clusterecho.client.sweep;

import static io.clusterecho.text.Lines.line;

import java.util.List;
import java.util.Objects;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/** A sweep as text for a person. */
public final class SweepText
{
    public static String text(final SweepRecord sweep, final Verdict verdict)
    {
        final StringBuilder text = new StringBuilder(verdict.heading(Lines.text(
            "%s: %d of %d runs done, %d cells", sweep.description.label(), sweep.doneCount(), sweep.runCount(),
            sweep.summaries().size())));
        final TextTable table = new TextTable()
            .left("cell").left("").right("runs").right("rate/s").right("p50").right("p99").right("p99.9");
        sweep.summaries().forEach((summary) -> table.row(
            sweep.name(summary.cell()), summary.verdict() + (summary.disturbances().isEmpty() ? "" : ", disturbed"),
            summary.goodCount() + "/" + summary.repeats(), rate(sweep, summary),
            withSpread(summary.spread(Percentile.P50)), withSpread(summary.spread(Percentile.P99)),
            median(summary.spread(Percentile.P99_9))));
        text.append(table.text());
        line(text, "");
        line(text, "response time: median over the good runs of a cell, with the smallest and largest");
        if (sweep.plan().cells().stream().anyMatch(Cell::isSearch))
        {
            line(
                text, "rate: the highest that meets %s, median over the searches that found one, with the smallest and " +
                "largest; response time: of a run at it that passed", Threshold.join(sweep.plan().conditions()));
        }
        if (!sweep.plan().cells().stream().allMatch(Cell::isAtARate))
        {
            line(text, "rate: that of loads as fast as they go, median over the good runs, with the smallest and largest");
        }
        sweep.summaries().stream().filter((summary) -> 0 == summary.goodCount() && !summary.counted().isEmpty())
            .forEach((summary) -> line(text, "no good run, times are from failed runs: %s", sweep.name(summary.cell())));
        sweep.summaries().stream().filter((summary) -> !summary.disturbances().isEmpty()).forEach((summary) -> line(
            text, "disturbed: %s: %s", sweep.name(summary.cell()), String.join("; ", summary.disturbances())));
        putReturns(text, sweep);
        putSyncCosts(text, sweep);
        line(text, "results in %s, with charts in report.html", sweep.folder().path());
        return text.toString();
    }

    private static void putReturns(final StringBuilder text, final SweepRecord sweep)
    {
        final List<CellSummary> returned = sweep.summaries().stream()
            .filter((summary) -> null != summary.ofReturns(SweepRun.MemberReturn::caughtUpNs)).toList();
        if (returned.isEmpty())
        {
            return;
        }

        line(text, "");
        final TextTable table = new TextTable().left("a member that comes back").right("in the quorum").right("caught up")
            .right("outage").right("p99 before").right("p99 meanwhile");
        returned.forEach((summary) -> table.row(
            sweep.name(summary.cell()), withSpread(summary.ofReturns(SweepRun.MemberReturn::inQuorumNs)),
            withSpread(summary.ofReturns(SweepRun.MemberReturn::caughtUpNs)),
            median(summary.ofReturns(SweepRun.MemberReturn::outageNs)),
            median(summary.ofReturns(SweepRun.MemberReturn::p99BeforeNs)),
            median(summary.ofReturns(SweepRun.MemberReturn::p99ReturningNs))));
        text.append(table.text());
        line(text, "from the start of its process, or the end of its pause: median over the runs, with the smallest and largest");
        line(text, "");
    }

    private static void putSyncCosts(final StringBuilder text, final SweepRecord sweep)
    {
        final List<SyncCost> costs = SyncCost.of(sweep);
        if (costs.isEmpty())
        {
            return;
        }

        line(text, "");
        final TextTable table =
            new TextTable().left("compared with fsync 0").left("p50").left("cpu, s/M").right("one disk sync");
        costs.forEach((cost) -> table.row(
            sweep.name(sweep.cell(cost.cell())), cost.p50Text(), Objects.toString(cost.cpuText(), "-"),
            null == cost.syncNs() ? "-" : Quantity.formatNs(cost.syncNs())));
        text.append(table.text());
        line(text, "cost of a level per message, and core time per million messages, with the range over all pairs of repeats; " +
            "disk sync: median in the baseline");
        costs.stream().map(SyncCost::syncMissing).filter(Objects::nonNull).distinct()
            .forEach((missing) -> line(text, "disk sync: %s", missing));
        line(text, "");
    }

    private static String rate(final SweepRecord sweep, final CellSummary summary)
    {
        final Spread found = summary.highestRate();
        final String rate = Lines.text("%,d", sweep.ratePerSecond(summary.cell()));
        return null == found ? rate : Lines.text("%s (%,.0f-%,.0f)", rate, found.min(), found.max());
    }

    private static String median(final Spread spread)
    {
        return null == spread ? "-" : Quantity.formatNs(spread.median());
    }

    private static String withSpread(final Spread spread)
    {
        return null == spread ? "-" : Lines.text(
            "%s (%s-%s)", Quantity.formatNs(spread.median()), Quantity.formatNs(spread.min()).replace(" ", ""),
            Quantity.formatNs(spread.max()));
    }
}
