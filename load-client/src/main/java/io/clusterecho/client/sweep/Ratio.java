package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

import io.clusterecho.media.zone.Placement;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.published.PublishedRatio;
import io.clusterecho.reporting.published.PublishedSetup;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Threshold;

/**
 * Comparison of a cell with the one that differs only in one dimension, in which it has the first value; part of
 * {@code sweep.json}. Cells are known by their numbers, the dimension by its key.
 *
 * @param ours        by percentile, ratio of the medians over the runs; of cells whose rate is searched only that of the rates,
 *                    as {@code rate}.
 * @param oursMin     smallest ratio of a run of the cell to a run of the other.
 * @param oursMax     largest ratio of two such runs; together with the smallest it shows whether the cells differ.
 * @param published   the same ratio of published figures, if the same was measured; else null.
 * @param publishedDiffers why there is none although the report has figures of such systems, a phrase for each difference; null
 *                         if it has none.
 */
public record Ratio(
    String dimension,
    int cell,
    int against,
    Integer runs,
    Integer againstRuns,
    Map<String, Double> ours,
    Map<String, Double> oursMin,
    Map<String, Double> oursMax,
    Map<String, Double> published,
    List<String> publishedDiffers,
    String publishedBy)
{
    /** Name of the highest rate among percentiles. */
    static final String RATE = "rate";
    private static final List<Dimension> PUBLISHED =
        List.of(Dimension.TRANSPORT, Dimension.SIZE, Dimension.PLACEMENT, Dimension.DRIVER);
    /** What a published setup says, and the profile, which follows from the processors. */
    private static final Set<Dimension> OF_THE_SETUP = EnumSet.of(
        Dimension.TRANSPORT, Dimension.MEMBERS, Dimension.PLACEMENT, Dimension.DRIVER, Dimension.PROFILE, Dimension.FSYNC,
        Dimension.MTU, Dimension.SIZE, Dimension.RATE);
    /** The scripts of the guide to measuring Aeron on AWS set all three by one variable. */
    private static final String REPORTED_VECTOR = "2";
    private static final String C_DRIVER = "c";
    private static final String ONE = "1";
    private static final String REPORT = PublishedSetup.SOURCE + ", aeron-java and aeron-c, 100,000 messages/s";
    private static final int DECIMALS = 4;
    private static final List<Percentile> PERCENTILES = List.of(Percentile.P50, Percentile.P99, Percentile.P99_9);

    /** Ratios of all good cells of a sweep. */
    static List<Ratio> of(final SweepRecord sweep)
    {
        final List<Ratio> ratios = new ArrayList<>();
        for (final Dimension dimension : sweep.plan().varied())
        {
            sweep.forTwins(
                dimension, sweep.plan().values().get(dimension).get(0),
                (summary, twin) -> ratios.add(of(sweep, dimension, summary, twin)));
        }

        return ratios;
    }

    private static Ratio of(
        final SweepRecord sweep, final Dimension dimension, final CellSummary summary, final CellSummary twin)
    {
        final Map<String, Double> ours = new TreeMap<>();
        final Map<String, Double> oursMin = new TreeMap<>();
        final Map<String, Double> oursMax = new TreeMap<>();
        final Map<String, Double> published = new TreeMap<>();
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
            final PublishedRatio theirs = publishedRatio(sweep, dimension, summary.cell(), twin.cell(), metric);
            theirs.ratio().ifPresent((value) -> published.put(metric, Documents.rounded(value, DECIMALS)));
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
            ours, oursMin, oursMax, published.isEmpty() ? null : published, isNear ? differences : null,
            isNear ? REPORT : null);
    }

    /** What is compared, by its name. Response times at different rates are not. */
    private static Map<String, Spread> spreads(final CellSummary summary)
    {
        final Map<String, Spread> spreads = new LinkedHashMap<>();
        if (summary.cell().isSearch())
        {
            spreads.put(RATE, summary.highestRate());
        }
        else
        {
            PERCENTILES.forEach((percentile) -> spreads.put(percentile.label(), summary.spread(percentile)));
        }
        return spreads;
    }

    private static PublishedRatio publishedRatio(
        final SweepRecord sweep, final Dimension dimension, final Cell cell, final Cell against, final String metric)
    {
        final Optional<PublishedSetup> setup = setup(sweep, cell);
        final Optional<PublishedSetup> base = setup(sweep, against);
        if (!PUBLISHED.contains(dimension) || setup.isEmpty() || base.isEmpty() || setup.equals(base))
        {
            return PublishedRatio.NONE;
        }

        final PublishedRatio ratio = setup.get().ratioTo(base.get(), metric);
        final List<String> others = others(sweep, List.of(cell, against));
        if (PublishedRatio.NONE.equals(ratio) || others.isEmpty())
        {
            return ratio;
        }
        final List<String> differences = new ArrayList<>(ratio.differences());
        differences.addAll(others);
        return new PublishedRatio(OptionalDouble.empty(), differences, ratio.notStated());
    }

    /** What the cells have besides that the report has not; a phrase for each. */
    private static List<String> others(final SweepRecord sweep, final List<Cell> cells)
    {
        final Set<String> differences = new LinkedHashSet<>();
        for (final Cell cell : cells)
        {
            cell.values().forEach((dimension, value) ->
            {
                if (Dimension.VECTORS.contains(dimension))
                {
                    if (C_DRIVER.equals(cell.value(Dimension.DRIVER)) && !REPORTED_VECTOR.equals(value))
                    {
                        differences.add(dimension.key() + ": " + value + " here, " + REPORTED_VECTOR + " in the report");
                    }
                }
                else if (!OF_THE_SETUP.contains(dimension) && !dimension.isDefault(value))
                {
                    differences.add(dimension.key() + ": " + value + " here, not in the report");
                }
            });
        }
        final String batch = sweep.description().configuration().getOrDefault("batch", ONE);
        if (!ONE.equals(batch))
        {
            differences.add("batch: " + batch + " here, " + ONE + " in the report");
        }
        return List.copyOf(differences);
    }

    private static Optional<PublishedSetup> setup(final SweepRecord sweep, final Cell cell)
    {
        final String load = cell.isSearch() ? PublishedSetup.SEARCH : PublishedSetup.openLoop(
            String.valueOf(sweep.ratePerSecond(cell)), sweep.description().configuration().get("arrivals"));
        final String placement = cell.value(Dimension.PLACEMENT);
        final String condition = cell.isSearch() ? Threshold.join(sweep.plan().conditions()) : "";
        return PublishedSetup.ofTransport(
            cell.value(Dimension.TRANSPORT), cell.value(Dimension.MEMBERS), cell.value(Dimension.FSYNC),
            cell.value(Dimension.MTU), cell.value(Dimension.DRIVER),
            Placement.NONE.equals(placement) && sweep.description().configuration().containsKey("inventory") ?
            PublishedSetup.NOT_GIVEN : placement,
            cell.value(Dimension.SIZE), load, condition);
    }
}
