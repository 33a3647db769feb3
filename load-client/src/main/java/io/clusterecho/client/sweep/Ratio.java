package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.published.PublishedRatio;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;

/**
 * Comparison of a cell with the one that differs only in one dimension, in which it has the first value; part of
 * {@code sweep.json}. Cells are known by their numbers, the dimension by its key.
 *
 * @param ours        by percentile, ratio of the medians over the runs; of cells whose rate is searched only that of the rates,
 *                    as {@code rate}.
 * @param oursMin     smallest ratio of a run of the cell to a run of the other.
 * @param oursMax     largest ratio of two such runs; together with the smallest it shows whether the cells differ.
 * @param published   the same ratio of published figures, if the same was measured; else null.
 * @param publishedNotStated what the report does not state although its ratio is there; null if there is nothing.
 * @param publishedDiffers why there is none although the report has figures of such systems, a phrase for each difference; null
 *                         if it has none.
 */
public record Ratio(
    String dimension, int cell, int against, Integer runs, Integer againstRuns,
    Map<String, Double> ours, Map<String, Double> oursMin, Map<String, Double> oursMax,
    Map<String, Double> published, List<String> publishedNotStated, List<String> publishedDiffers, String publishedBy)
{
    /** Name of the highest rate among percentiles. */
    static final String RATE = "rate";
    private static final int DECIMALS = 4;
    private static final List<Percentile> PERCENTILES = List.of(Percentile.P50, Percentile.P99, Percentile.P99_9);

    /** Ratios of all good cells of a sweep. */
    static List<Ratio> of(final SweepRecord sweep)
    {
        return sweep.plan().varied().stream().flatMap((dimension) ->
            sweep.twins(dimension, sweep.plan().values().get(dimension).get(0))
                .map((twins) -> of(sweep, dimension, twins.summary(), twins.base()))).toList();
    }

    private static Ratio of(
        final SweepRecord sweep, final Dimension dimension, final CellSummary summary, final CellSummary twin)
    {
        final Map<String, Double> ours = new TreeMap<>();
        final Map<String, Double> oursMin = new TreeMap<>();
        final Map<String, Double> oursMax = new TreeMap<>();
        final Map<String, Double> published = new TreeMap<>();
        final Set<String> notStated = new TreeSet<>();
        final List<String> differences = new ArrayList<>();
        final Map<String, Spread> twins = spreads(twin);
        spreads(summary).forEach((metric, own) ->
        {
            final Spread other = twins.get(metric);
            if (null == own || null == other)
            {
                return;
            }
            final Spread ratio = own.dividedBy(other);
            ours.put(metric, Documents.rounded(ratio.median(), DECIMALS));
            oursMin.put(metric, Documents.rounded(ratio.min(), DECIMALS));
            oursMax.put(metric, Documents.rounded(ratio.max(), DECIMALS));
            final PublishedRatio theirs = sweep.plan().published().isEmpty() ? PublishedRatio.NONE :
                new ReportedFigures(sweep).ratio(summary.cell(), twin.cell(), metric);
            theirs.ratio().ifPresent((value) ->
            {
                published.put(metric, Documents.rounded(value, DECIMALS));
                notStated.addAll(theirs.notStated());
            });
            theirs.differences().stream().filter((phrase) -> !differences.contains(phrase)).forEach(differences::add);
        });
        if (!published.isEmpty() && (summary.isClientLimited() || twin.isClientLimited()))
        {
            published.clear();
            differences.add(String.format(
                Locale.ROOT, "limited by the client here: %d of %d runs, and %d of %d of the other cell",
                summary.clientLimitedCount(), summary.counted().size(), twin.clientLimitedCount(), twin.counted().size()));
        }
        final boolean isNear = !published.isEmpty() || !differences.isEmpty();
        return new Ratio(
            dimension.key(), summary.cell().number(), twin.cell().number(), summary.counted().size(), twin.counted().size(),
            ours, oursMin, oursMax, published.isEmpty() ? null : published,
            published.isEmpty() || notStated.isEmpty() ? null : List.copyOf(notStated), isNear ? differences : null,
            isNear ? sweep.plan().published() : null);
    }

    /** What is compared, by its name. Response times at the different rates that searches found are not. */
    private static Map<String, Spread> spreads(final CellSummary summary)
    {
        final Map<String, Spread> spreads = new LinkedHashMap<>();
        if (null != summary.highestRate())
        {
            spreads.put(RATE, summary.highestRate());
        }
        if (!summary.cell().isSearch())
        {
            PERCENTILES.forEach((percentile) -> spreads.put(percentile.label(), summary.spread(percentile)));
            if (Cell.PING_PONG.equals(summary.cell().value(Dimension.LOAD)))
            {
                spreads.put(Percentile.MAX.label(), summary.spread(Percentile.MAX));
            }
            spreads.put(SweepRun.P99_5, summary.spread(SweepRun::responseP99_5Ns));
        }
        return spreads;
    }
}
