package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.reporting.published.PublishedRatio;
import io.clusterecho.reporting.published.PublishedSetup;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;

/**
 * Comparison of a cell with the one that differs only in one dimension, in which it has the first value.
 *
 * @param dimension   in which they differ.
 * @param cell        compared.
 * @param against     the other cell.
 * @param runs        counted of the cell.
 * @param againstRuns counted of the other.
 * @param ours        by percentile, ratio of the medians over the runs.
 * @param oursMin     smallest ratio of a run of the cell to a run of the other.
 * @param oursMax     largest ratio of two such runs; together with the smallest it shows whether the cells differ.
 * @param published   the same ratio of published figures, if the same was measured.
 * @param publishedDiffers why there is none although the report has figures of such systems; a phrase for each difference.
 */
record Ratio(
    Dimension dimension,
    Cell cell,
    Cell against,
    int runs,
    int againstRuns,
    Map<String, Double> ours,
    Map<String, Double> oursMin,
    Map<String, Double> oursMax,
    Map<String, Double> published,
    List<String> publishedDiffers)
{
    private static final List<Dimension> PUBLISHED = List.of(Dimension.SIZE, Dimension.PLACEMENT, Dimension.DRIVER);
    private static final List<Percentile> PERCENTILES = List.of(Percentile.P50, Percentile.P99, Percentile.P99_9);

    /**
     * Ratios of all good cells of a sweep.
     */
    static List<Ratio> of(final SweepRecord sweep)
    {
        final List<CellSummary> summaries = sweep.summaries();
        final List<Ratio> ratios = new ArrayList<>();
        for (final Dimension dimension : sweep.plan().varied())
        {
            final String first = sweep.plan().values().get(dimension).get(0);
            for (final CellSummary summary : summaries)
            {
                if (summary.goodCount() > 0 && !first.equals(summary.cell().value(dimension)))
                {
                    twin(summaries, summary.cell(), dimension, first)
                        .map((twin) -> of(dimension, summary, twin)).ifPresent(ratios::add);
                }
            }
        }

        return ratios;
    }

    private static Ratio of(final Dimension dimension, final CellSummary summary, final CellSummary twin)
    {
        final Map<String, Double> ours = new TreeMap<>();
        final Map<String, Double> oursMin = new TreeMap<>();
        final Map<String, Double> oursMax = new TreeMap<>();
        final Map<String, Double> published = new TreeMap<>();
        final List<String> differences = new ArrayList<>();
        for (final Percentile one : PERCENTILES)
        {
            final String percentile = one.label();
            final Spread own = summary.spread(one);
            final Spread other = twin.spread(one);
            ours.put(percentile, own.median() / other.median());
            oursMin.put(percentile, own.min() / other.max());
            oursMax.put(percentile, own.max() / other.min());
            final PublishedRatio theirs = publishedRatio(dimension, summary.cell(), twin.cell(), percentile);
            theirs.ratio().ifPresent((ratio) -> published.put(percentile, ratio));
            theirs.differences().stream().filter((phrase) -> !differences.contains(phrase)).forEach(differences::add);
        }

        return new Ratio(
            dimension, summary.cell(), twin.cell(), summary.counted().size(), twin.counted().size(), ours, oursMin, oursMax,
            published, differences);
    }

    private static PublishedRatio publishedRatio(
        final Dimension dimension, final Cell cell, final Cell against, final String percentile)
    {
        final Optional<PublishedSetup> setup = setup(cell);
        final Optional<PublishedSetup> base = setup(against);
        return !PUBLISHED.contains(dimension) || setup.isEmpty() || base.isEmpty() ? PublishedRatio.NONE :
            setup.get().ratioTo(base.get(), percentile);
    }

    private static Optional<PublishedSetup> setup(final Cell cell)
    {
        final String rate = cell.value(Dimension.RATE);
        return PublishedSetup.ofCluster(
            cell.value(Dimension.MEMBERS), cell.value(Dimension.FSYNC), cell.value(Dimension.MTU),
            cell.value(Dimension.DRIVER), cell.value(Dimension.PLACEMENT), cell.value(Dimension.SIZE),
            rate.endsWith("%") ? "open loop at " + rate + " of the highest rate" : Experiment.openLoop(rate), "");
    }

    /**
     * The good cell that differs only in one dimension, in which it has the first value.
     */
    static Optional<CellSummary> twin(
        final List<CellSummary> summaries, final Cell cell, final Dimension dimension, final String first)
    {
        return summaries.stream().filter((other) -> other.goodCount() > 0 && cell.values().entrySet().stream().allMatch(
            (entry) -> other.cell().value(entry.getKey()).equals(dimension == entry.getKey() ? first : entry.getValue())))
            .findFirst();
    }
}
