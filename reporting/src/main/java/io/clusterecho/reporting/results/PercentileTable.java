package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.text.TextTable;

import org.HdrHistogram.Histogram;

/** Distributions of times as a text table: a row for each, a column for each percentile. */
public final class PercentileTable
{
    private final TextTable table = new TextTable().left("");

    public PercentileTable()
    {
        for (final Percentile percentile : Percentile.values())
        {
            table.right(percentile.label());
        }
    }

    /**
     * Add a row.
     *
     * @param name      of the times.
     * @param histogram in ns.
     */
    public PercentileTable row(final String name, final Histogram histogram)
    {
        final List<String> cells = new ArrayList<>(List.of(name));
        for (final Percentile percentile : Percentile.values())
        {
            cells.add(percentile.text(histogram));
        }
        table.row(cells);
        return this;
    }

    /**
     * Add a row with the bounds of the row before.
     *
     * @param confidence in its percentiles.
     */
    PercentileTable bounds(final RunConfidence.OfTime confidence)
    {
        final List<String> cells = new ArrayList<>(List.of("  95% bounds"));
        for (final Percentile percentile : Percentile.values())
        {
            cells.add(Percentile.MAX == percentile ? "" : confidence.text(percentile));
        }
        table.row(cells);
        return this;
    }

    /** The table with its header. */
    public String text()
    {
        return table.text();
    }
}
