package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.text.TextTable;

import org.HdrHistogram.Histogram;

/** Distributions of times as a text table: a row for each, a column for each percentile. */
public final class PercentileTable
{
    private static final List<Percentile> PERCENTILES = List.of(Percentile.values());

    private final TextTable table = new TextTable().left("");

    public PercentileTable()
    {
        PERCENTILES.forEach((percentile) -> table.right(percentile.label()));
    }

    /** Add a row, of times in ns. */
    public PercentileTable row(final String name, final Histogram histogram)
    {
        final List<String> cells = new ArrayList<>(List.of(name));
        PERCENTILES.forEach((percentile) -> cells.add(percentile.text(histogram)));
        table.row(cells);
        return this;
    }

    /** Add a row with the bounds of the row before. */
    PercentileTable bounds(final Times times)
    {
        final List<String> cells = new ArrayList<>(List.of("  95% bounds"));
        PERCENTILES.forEach((percentile) -> cells.add(Percentile.MAX == percentile ? "" : times.boundsText(percentile)));
        table.row(cells);
        return this;
    }

    public String text()
    {
        return table.text();
    }
}
