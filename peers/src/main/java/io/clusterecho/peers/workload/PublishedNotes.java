package io.clusterecho.peers.workload;

import java.util.List;
import java.util.function.Function;

import io.clusterecho.reporting.published.PublishedRatio;

/** What a table says about published figures that are near to a cell, over all its metrics. */
final class PublishedNotes
{
    private PublishedNotes()
    {
    }

    /**
     * Why no published ratio is shown; a phrase for each difference.
     *
     * @param base of the group, or null if it was not run.
     */
    static List<String> differences(final CellFigures published, final WorkloadCell cell, final WorkloadCell base)
    {
        return distinct(published, cell, base, PublishedRatio::differences);
    }

    /**
     * What the report does not state although its ratio is shown.
     *
     * @param base of the group, or null if it was not run.
     */
    static List<String> notStated(final CellFigures published, final WorkloadCell cell, final WorkloadCell base)
    {
        return distinct(published, cell, base, (ratio) -> ratio.ratio().isPresent() ? ratio.notStated() : List.of());
    }

    private static List<String> distinct(
        final CellFigures published,
        final WorkloadCell cell,
        final WorkloadCell base,
        final Function<PublishedRatio, List<String>> phrases)
    {
        return cell.workload().metrics().stream()
            .flatMap((metric) -> phrases.apply(published.ratio(cell, base, metric)).stream()).distinct().toList();
    }
}
