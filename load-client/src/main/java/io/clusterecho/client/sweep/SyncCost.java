package io.clusterecho.client.sweep;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleFunction;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.settings.Quantity;

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
        final Cost p50 = Cost.of(summary.spread(Percentile.P50), twin.spread(Percentile.P50));
        final Spread cpuS = summary.spread(SyncCost::cpuS);
        final Spread twinCpuS = twin.spread(SyncCost::cpuS);
        final Optional<Cost> cpu =
            null == cpuS || null == twinCpuS ? Optional.empty() : Optional.of(Cost.of(cpuS, twinCpuS));
        final Spread sync = summary.spread(SweepRun::floorSyncNs);
        final Long syncNs = null == sync || Math.round(sync.median()) < 1 ? null : Math.round(sync.median());
        return new SyncCost(
            summary.cell().number(), twin.cell().number(), p50.repeats, p50.againstRepeats, p50.median, p50.min, p50.max,
            p50.text(Quantity::formatNs), cpu.map((cost) -> Documents.rounded(cost.median, 3)).orElse(null),
            cpu.map((cost) -> Documents.rounded(cost.min, 3)).orElse(null),
            cpu.map((cost) -> Documents.rounded(cost.max, 3)).orElse(null),
            cpu.map((cost) -> cost.text((seconds) -> String.format(Locale.ROOT, "%.1f", seconds))).orElse(null), syncNs,
            null != syncNs ? null : summary.counted().stream().map(SweepRun::floorMissing).filter(Objects::nonNull)
            .findFirst().orElse("not known: the runs had no baseline"));
    }

    private static Double cpuS(final SweepRun run)
    {
        return null == run.cpuSecondsPerMillion() ? null : run.cpuSecondsPerMillion().all();
    }

    /**
     * How much higher a number is in one cell than in another. The range covers all pairs of a repeat of the one and a repeat of
     * the other: if it contains 0, the two cells are not distinguishable.
     */
    private record Cost(double median, double min, double max, int repeats, int againstRepeats)
    {
        static Cost of(final Spread own, final Spread against)
        {
            return new Cost(
                own.median() - against.median(), own.min() - against.max(), own.max() - against.min(), own.count(),
                against.count());
        }

        /** The cost with its range in words, or that it is unknown; the format is for an amount that is not negative. */
        String text(final DoubleFunction<String> format)
        {
            if (1 == Math.min(repeats, againstRepeats))
            {
                return "not known from 1 repeat (" + signed(median, format) + ")";
            }

            final String range = String.format(
                Locale.ROOT, "(%s repeats, %s..%s)", repeats == againstRepeats ? String.valueOf(repeats) :
                repeats + " and " + againstRepeats, signed(min, format), signed(max, format));
            return (min > 0 || max < 0 ? signed(median, format) : "not distinguishable from 0") + " " + range;
        }

        private static String signed(final double value, final DoubleFunction<String> format)
        {
            return (value < 0 ? "-" : "+") + format.apply(Math.abs(value));
        }
    }
}
