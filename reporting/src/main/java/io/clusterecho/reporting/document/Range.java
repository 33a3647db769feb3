package io.clusterecho.reporting.document;

import io.clusterecho.reporting.results.Spread;

/**
 * Values of a number over several runs.
 *
 * @param median nearest-rank median.
 * @param min    smallest value.
 * @param max    largest value.
 */
public record Range(double median, double min, double max)
{
    public static Range of(final Spread spread)
    {
        return new Range(spread.median(), spread.min(), spread.max());
    }
}
