package io.clusterecho.reporting.results;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

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
        return row(name, (percentile) -> percentile.text(histogram));
    }

    /** Add a row with the bounds of the row before. */
    PercentileTable bounds(final Times times)
    {
        return row("  95% bounds", (percentile) -> Percentile.MAX == percentile ? "" : times.boundsText(percentile));
    }

    private PercentileTable row(final String name, final Function<Percentile, String> cell)
    {
        table.row(Stream.concat(Stream.of(name), PERCENTILES.stream().map(cell)).toList());
        return this;
    }

    public String text()
    {
        return table.text();
    }
}
