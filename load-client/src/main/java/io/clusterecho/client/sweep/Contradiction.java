package io.clusterecho.client.sweep;

import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.settings.Quantity;

/**
 * Two cells that differ only in a setting of which more can only cost more, and of which the one with more was faster in all
 * repeats: something else differed as well. Part of {@code sweep.json}.
 *
 * @param cell    number of the faster one, with the higher value.
 * @param against number of the slower one.
 */
public record Contradiction(String dimension, int cell, int against)
{
    private static final List<Dimension> ORDERED = List.of(Dimension.FSYNC, Dimension.SIZE);
    /** Below it the higher value may cost nothing, and the order is chance. */
    private static final double LEAST_RATIO = 1.25;

    /** Contradictions between the good cells of a sweep. */
    static List<Contradiction> of(final SweepRecord sweep)
    {
        return ORDERED.stream().flatMap((dimension) -> sweep.plan().values().get(dimension).stream().flatMap((lower) ->
            sweep.twins(dimension, lower)
                .filter((twins) -> twins.summary().cell().isRateGiven() && isFaster(twins.summary(), twins.base()) &&
                Long.parseLong(lower) < Long.parseLong(twins.summary().cell().value(dimension)))
                .map((twins) -> new Contradiction(
                dimension.key(), twins.summary().cell().number(), twins.base().cell().number())))).toList();
    }

    private static boolean isFaster(final CellSummary summary, final CellSummary twin)
    {
        final Spread own = summary.spread(Percentile.P50);
        final Spread other = twin.spread(Percentile.P50);
        return own.max() < other.min() && own.median() * LEAST_RATIO < other.median();
    }

    String text(final SweepRecord sweep)
    {
        final CellSummary faster = sweep.summaries().get(cell - 1);
        final CellSummary slower = sweep.summaries().get(against - 1);
        return String.format(
            Locale.ROOT, "%s has a p50 of %s, and %s, which cannot cost more, one of %s: something else differed between them",
            sweep.name(faster.cell()), Quantity.formatNs(faster.spread(Percentile.P50).median()), sweep.name(slower.cell()),
            Quantity.formatNs(slower.spread(Percentile.P50).median()));
    }
}
