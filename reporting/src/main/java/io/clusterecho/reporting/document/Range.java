package io.clusterecho.reporting.document;

import io.clusterecho.reporting.results.Spread;

/**
 * A number over several runs.
 *
 * @param median of them.
 * @param min    least of them.
 * @param max    largest of them.
 */
public record Range(double median, double min, double max)
{
    /**
     * Of runs.
     *
     * @param spread of their values.
     * @return the same for a document.
     */
    public static Range of(final Spread spread)
    {
        return new Range(spread.median(), spread.min(), spread.max());
    }
}
