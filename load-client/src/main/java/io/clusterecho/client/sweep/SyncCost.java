package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.settings.Quantity;

/**
 * What a file sync level costs, against the cell that differs from it in nothing but level 0, beside what one such sync takes
 * on that disk without a cluster. On the way of a message lies one sync, so the first should not be much above the second
 * while syncs keep up; see {@code docs/FLOOR.md}.
 *
 * @param cell    with level 1 or 2.
 * @param against the one with level 0.
 * @param p50     by how much its median response time is longer, in ns.
 * @param cpu     by how much more core time client and members take for a million answers, in s; empty where that was not
 *                measured.
 * @param syncNs  median of a sync of that level in the baseline, in ns; 0 where there is none.
 * @param missing why there is none, else empty.
 */
record SyncCost(Cell cell, Cell against, Cost p50, Optional<Cost> cpu, long syncNs, String missing)
{
    private static final String LEVEL_WITHOUT = "0";

    /**
     * Of all good cells of a sweep.
     */
    static List<SyncCost> of(final SweepRecord sweep)
    {
        final List<CellSummary> summaries = sweep.summaries();
        final List<SyncCost> costs = new ArrayList<>();
        for (final CellSummary summary : summaries)
        {
            if (summary.goodCount() > 0 && !LEVEL_WITHOUT.equals(summary.cell().value(Dimension.FSYNC)))
            {
                Ratio.twin(summaries, summary.cell(), Dimension.FSYNC, LEVEL_WITHOUT)
                    .ifPresent((twin) -> costs.add(of(summary, twin)));
            }
        }

        return costs;
    }

    /**
     * What the sync costs a message.
     */
    String p50Text()
    {
        return p50.text(Quantity::formatNs);
    }

    /**
     * What it costs in core time, or {@code -} where that was not measured.
     */
    String cpuText()
    {
        return cpu.map((cost) -> cost.text((seconds) -> String.format(Locale.ROOT, "%.1f", seconds))).orElse("-");
    }

    private static SyncCost of(final CellSummary summary, final CellSummary twin)
    {
        final Optional<Spread> cpu = spread(summary, SyncCost::cpuS);
        final Optional<Spread> twinCpu = spread(twin, SyncCost::cpuS);
        final long syncNs = spread(summary, SweepRun::floorSyncNs).map((spread) -> Math.round(spread.median())).orElse(0L);
        return new SyncCost(
            summary.cell(), twin.cell(), Cost.of(summary.spread(Percentile.P50), twin.spread(Percentile.P50)),
            cpu.flatMap((own) -> twinCpu.map((other) -> Cost.of(own, other))), syncNs, syncNs > 0 ? "" : missing(summary));
    }

    private static String missing(final CellSummary summary)
    {
        return summary.counted().stream().map(SweepRun::floorMissing).filter(Objects::nonNull)
            .findFirst().orElse("not known: the runs had no baseline");
    }

    /**
     * Empty where a run does not have it.
     */
    private static Optional<Spread> spread(final CellSummary summary, final Function<SweepRun, ? extends Number> number)
    {
        return summary.counted().stream().map(number).anyMatch(Objects::isNull) ? Optional.empty() :
            Optional.of(summary.spread((run) -> number.apply(run).doubleValue()));
    }

    private static Double cpuS(final SweepRun run)
    {
        return null == run.cpuSecondsPerMillion() ? null : run.cpuSecondsPerMillion().all();
    }
}
