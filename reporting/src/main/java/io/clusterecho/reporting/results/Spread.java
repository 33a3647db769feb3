package io.clusterecho.reporting.results;

import java.util.Arrays;

import io.clusterecho.statistics.NearestRank;

/** Values of a number over several runs. The median is by the {@link NearestRank}. */
public record Spread(double min, double median, double max, int count)
{
    /** @param values in any order, at least one. */
    public static Spread of(final double... values)
    {
        if (0 == values.length)
        {
            throw new IllegalArgumentException("expected at least one value");
        }

        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        final int count = sorted.length;
        return new Spread(sorted[0], sorted[NearestRank.index(count, NearestRank.MEDIAN)], sorted[count - 1], count);
    }

    /** Ratio of the medians, with the smallest and the largest of a value to one of the other; it has the count of this one. */
    public Spread dividedBy(final Spread other)
    {
        return new Spread(min / other.max, median / other.median, max / other.min, count);
    }
}
