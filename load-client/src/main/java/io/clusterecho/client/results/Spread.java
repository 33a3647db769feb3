package io.clusterecho.client.results;

import java.util.Arrays;

/**
 * A number over several runs. The median is the middle value, and of an even count the mean of the two in the middle: by the
 * nearest rank the median of two runs would always be the better of them.
 *
 * @param min    smallest.
 * @param median of all.
 * @param max    largest.
 * @param count  of runs.
 */
public record Spread(double min, double median, double max, int count)
{
    /**
     * Of values.
     *
     * @param values in any order, at least one.
     * @return their spread.
     */
    public static Spread of(final double... values)
    {
        if (0 == values.length)
        {
            throw new IllegalArgumentException("expected at least one value");
        }

        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        final int count = sorted.length;
        return new Spread(sorted[0], (sorted[(count - 1) / 2] + sorted[count / 2]) / 2, sorted[count - 1], count);
    }
}
