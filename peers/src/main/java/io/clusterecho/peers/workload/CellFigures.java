package io.clusterecho.peers.workload;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.reporting.published.PublishedFigure;
import io.clusterecho.reporting.published.PublishedFigures;
import io.clusterecho.reporting.published.PublishedRatio;

/** The published figures that are nearest to cells of the suite. */
record CellFigures(PublishedFigures figures)
{
    /**
     * The published ratio to put beside the ratio of a cell to the base of its group.
     *
     * @param base   of the group, or null if it was not run.
     * @return with what differs if the report did not measure the same.
     */
    PublishedRatio ratio(final WorkloadCell cell, final WorkloadCell base, final Workload.Metric metric)
    {
        // The reports contain the time of the last price instead of a rate; all systems sent the same number.
        final boolean isInverse = Workload.PRICE_STREAM == cell.workload() && Workload.Metric.RATE == metric;
        final String name = isInverse ? Workload.Metric.MAX.publishedName() : metric.publishedName();
        final Optional<PublishedFigure> own = figure(cell, name);
        final Optional<PublishedFigure> other = null == base ? Optional.empty() : figure(base, name);
        if (own.isEmpty() || other.isEmpty())
        {
            return PublishedRatio.NONE;
        }

        final PublishedRatio ratio = PublishedRatio.of(side(cell, own.get(), name), side(base, other.get(), name));
        return isInverse ? ratio.inverse() : ratio;
    }

    /**
     * Why no published ratio is shown; a phrase for each difference.
     *
     * @param base of the group, or null if it was not run.
     */
    List<String> differences(final WorkloadCell cell, final WorkloadCell base)
    {
        return distinct(cell, base, PublishedRatio::differences);
    }

    /**
     * What the report does not state although its ratio is shown.
     *
     * @param base of the group, or null if it was not run.
     */
    List<String> notStated(final WorkloadCell cell, final WorkloadCell base)
    {
        return distinct(cell, base, (ratio) -> ratio.ratio().isPresent() ? ratio.notStated() : List.of());
    }

    private List<String> distinct(
        final WorkloadCell cell, final WorkloadCell base, final Function<PublishedRatio, List<String>> phrases)
    {
        return cell.workload().metrics().stream()
            .flatMap((metric) -> phrases.apply(ratio(cell, base, metric)).stream()).distinct().toList();
    }

    private static PublishedRatio.Side side(final WorkloadCell cell, final PublishedFigure figure, final String metric)
    {
        final String ours = Workload.Metric.RATE.publishedName().equals(metric) ? Experiment.THROUGHPUT : metric;
        return new PublishedRatio.Side(CellExperiment.of(cell, ours), figure);
    }

    private Optional<PublishedFigure> figure(final WorkloadCell cell, final String metric)
    {
        final Workload.Published published = cell.workload().published();
        final String system = published.systems().get(cell.system());
        final String suffix = switch (cell.workload())
        {
            case CONCURRENCY_SWEEP, MEMORY -> " " + cell.setup();
            default -> "";
        };
        return null == system ? Optional.empty() : figures.find(
            published.source(), system, published.test(), (setup) -> setup.endsWith(suffix), cell.payload(), metric);
    }
}
