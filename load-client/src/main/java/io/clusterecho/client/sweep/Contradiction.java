package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.settings.Quantity;

/**
 * Two cells that differ only in a setting of which more can only cost more, and of which the one with more was faster in all
 * repeats: something else differed as well.
 *
 * @param cell         the faster one, with the higher value.
 * @param p50Ns        median response time of the faster one, in ns.
 * @param againstP50Ns that of the slower one, in ns.
 */
record Contradiction(Dimension dimension, Cell cell, Cell against, double p50Ns, double againstP50Ns)
{
    private static final List<Dimension> ORDERED = List.of(Dimension.FSYNC, Dimension.SIZE);
    /** Below it the higher value may cost nothing, and the order is chance. */
    private static final double LEAST_RATIO = 1.25;

    /** Contradictions between the good cells of a sweep. */
    static List<Contradiction> of(final SweepRecord sweep)
    {
        final List<CellSummary> summaries = sweep.summaries();
        final List<Contradiction> found = new ArrayList<>();
        for (final Dimension dimension : ORDERED)
        {
            for (final CellSummary summary : summaries)
            {
                for (final String lower : sweep.plan().values().get(dimension))
                {
                    if (summary.isCompared() && !summary.cell().isSearch() &&
                        Long.parseLong(lower) < Long.parseLong(summary.cell().value(dimension)))
                    {
                        Ratio.twin(summaries, summary.cell(), dimension, lower)
                            .filter((twin) -> isFaster(summary, twin))
                            .ifPresent((twin) -> found.add(new Contradiction(
                                dimension, summary.cell(), twin.cell(), summary.spread(Percentile.P50).median(),
                                twin.spread(Percentile.P50).median())));
                    }
                }
            }
        }

        return found;
    }

    private static boolean isFaster(final CellSummary summary, final CellSummary twin)
    {
        final Spread own = summary.spread(Percentile.P50);
        final Spread other = twin.spread(Percentile.P50);
        return own.max() < other.min() && own.median() * LEAST_RATIO < other.median();
    }

    String text(final SweepRecord sweep)
    {
        return String.format(
            Locale.ROOT, "%s has a p50 of %s, and %s, which cannot cost more, one of %s: something else differed between them",
            sweep.name(cell), Quantity.formatNs(p50Ns), sweep.name(against), Quantity.formatNs(againstP50Ns));
    }
}
