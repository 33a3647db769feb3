package io.clusterecho.reporting.document;

import io.clusterecho.reporting.results.Spread;

/** Values of a number over several runs, with the median by nearest rank. */
public record Range(double median, double min, double max)
{
    public static Range of(final Spread spread)
    {
        return new Range(spread.median(), spread.min(), spread.max());
    }
}
