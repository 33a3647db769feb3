package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.settings.Quantity;

/**
 * Cost of a file sync level compared with the cell that differs only in having level 0, together with the time of one such sync
 * on that disk without a cluster. There is one sync on the path of a message, so the first should not be much above the second
 * while syncs keep up; see {@code docs/DIAGNOSIS.md}.
 *
 * @param cell    with level 1 or 2.
 * @param against the cell with level 0.
 * @param p50     increase of the median response time, in ns.
 * @param cpu     increase of the core time of client and members per million answers, in s; empty if not measured.
 * @param syncNs  median time of a sync of that level in the baseline, in ns; 0 if there is none.
 * @param missing why there is none, else empty.
 */
record SyncCost(Cell cell, Cell against, Cost p50, Optional<Cost> cpu, long syncNs, String missing)
{
    private static final String LEVEL_WITHOUT = "0";

    static List<SyncCost> of(final SweepRecord sweep)
    {
        final List<CellSummary> summaries = sweep.summaries();
        final List<SyncCost> costs = new ArrayList<>();
        for (final CellSummary summary : summaries)
        {
            // Searched cells differ in their rates as well.
            if (summary.isCompared() && !summary.cell().isSearch() &&
                !LEVEL_WITHOUT.equals(summary.cell().value(Dimension.FSYNC)))
            {
                Ratio.twin(summaries, summary.cell(), Dimension.FSYNC, LEVEL_WITHOUT)
                    .ifPresent((twin) -> costs.add(of(summary, twin)));
            }
        }

        return costs;
    }

    /** Cost per message in words. */
    String p50Text()
    {
        return p50.text(Quantity::formatNs);
    }

    /** Cost in core time in words, or {@code -} if not measured. */
    String cpuText()
    {
        return cpu.map((cost) -> cost.text((seconds) -> String.format(Locale.ROOT, "%.1f", seconds))).orElse("-");
    }

    private static SyncCost of(final CellSummary summary, final CellSummary twin)
    {
        final Spread cpu = summary.spread(SyncCost::cpuS);
        final Spread twinCpu = twin.spread(SyncCost::cpuS);
        final Spread sync = summary.spread(SweepRun::floorSyncNs);
        final long syncNs = null == sync ? 0 : Math.round(sync.median());
        return new SyncCost(
            summary.cell(), twin.cell(), Cost.of(summary.spread(Percentile.P50), twin.spread(Percentile.P50)),
            null == cpu || null == twinCpu ? Optional.empty() : Optional.of(Cost.of(cpu, twinCpu)), syncNs,
            syncNs > 0 ? "" : missing(summary));
    }

    private static String missing(final CellSummary summary)
    {
        return summary.counted().stream().map(SweepRun::floorMissing).filter(Objects::nonNull)
            .findFirst().orElse("not known: the runs had no baseline");
    }

    private static Double cpuS(final SweepRun run)
    {
        return null == run.cpuSecondsPerMillion() ? null : run.cpuSecondsPerMillion().all();
    }
}
