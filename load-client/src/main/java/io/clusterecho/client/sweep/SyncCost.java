package io.clusterecho.client.sweep;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleFunction;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/**
 * Cost of a file sync level compared with the cell that differs only in having level 0, together with the time of one such sync
 * on that disk without a cluster. There is one sync on the path of a message, so the first should not be much above the second
 * while syncs keep up; see {@code docs/DIAGNOSIS.md}.
 *
 * @param cell        number of the cell with level 1 or 2.
 * @param against     number of the cell with level 0.
 * @param p50Ns       increase of the median response time, in ns.
 * @param cpuSecondsPerMillion increase of the core time of client and members per million answers, in s; null if not measured.
 * @param syncNs      median time of a sync of that level in the baseline, in ns; null if there is none.
 * @param syncMissing why there is none, else null.
 */
public record SyncCost(
    int cell, int against, Integer repeats, Integer againstRepeats, double p50Ns, Double p50NsMin, Double p50NsMax,
    String p50Text, Double cpuSecondsPerMillion, Double cpuSecondsPerMillionMin, Double cpuSecondsPerMillionMax, String cpuText,
    Long syncNs, String syncMissing)
{
    private static final String LEVEL_WITHOUT = "0";

    static List<SyncCost> of(final SweepRecord sweep)
    {
        // The costs of others have other rates in them as well.
        return sweep.twins(Dimension.FSYNC, LEVEL_WITHOUT).filter((twins) -> twins.summary().cell().isRateGiven())
            .map((twins) -> of(twins.summary(), twins.base())).toList();
    }

    private static SyncCost of(final CellSummary summary, final CellSummary twin)
    {
        final Spread twinP50 = twin.spread(Percentile.P50);
        final Spread p50 = summary.spread(Percentile.P50).minus(twinP50);
        final Spread cpuS = summary.spread(SyncCost::cpuS);
        final Spread twinCpuS = twin.spread(SyncCost::cpuS);
        final Optional<Spread> cpu =
            null == cpuS || null == twinCpuS ? Optional.empty() : Optional.of(cpuS.minus(twinCpuS));
        final Spread sync = summary.spread(SweepRun::floorSyncNs);
        final Long syncNs = null == sync || Math.round(sync.median()) < 1 ? null : Math.round(sync.median());
        return new SyncCost(
            summary.cell().number(), twin.cell().number(), p50.count(), twinP50.count(), p50.median(), p50.min(), p50.max(),
            text(p50, twinP50, Quantity::formatNs), cpu.map((cost) -> Documents.rounded(cost.median(), 3)).orElse(null),
            cpu.map((cost) -> Documents.rounded(cost.min(), 3)).orElse(null),
            cpu.map((cost) -> Documents.rounded(cost.max(), 3)).orElse(null),
            cpu.map((cost) -> text(cost, twinCpuS, (seconds) -> Lines.text("%.1f", seconds))).orElse(null), syncNs,
            null != syncNs ? null : summary.counted().stream().map(SweepRun::floorMissing).filter(Objects::nonNull)
            .findFirst().orElse("not known: the runs had no baseline"));
    }

    private static Double cpuS(final SweepRun run)
    {
        return null == run.cpuSecondsPerMillion() ? null : run.cpuSecondsPerMillion().all();
    }

    /**
     * A cost with its range in words, or that it is unknown: if the range contains 0, the two cells are not distinguishable. The
     * format is for an amount that is not negative.
     */
    private static String text(final Spread cost, final Spread against, final DoubleFunction<String> format)
    {
        if (1 == Math.min(cost.count(), against.count()))
        {
            return "not known from 1 repeat (" + signed(cost.median(), format) + ")";
        }

        final String range = Lines.text(
            "(%s repeats, %s..%s)", cost.count() == against.count() ? String.valueOf(cost.count()) :
            cost.count() + " and " + against.count(), signed(cost.min(), format), signed(cost.max(), format));
        return (cost.min() > 0 || cost.max() < 0 ? signed(cost.median(), format) : "not distinguishable from 0") + " " + range;
    }

    private static String signed(final double value, final DoubleFunction<String> format)
    {
        return (value < 0 ? "-" : "+") + format.apply(Math.abs(value));
    }
}
