package io.clusterecho.reporting.results;

import java.util.Arrays;

import com.fasterxml.jackson.annotation.JsonProperty;

import io.clusterecho.statistics.NearestRank;

/** Values of a number over several runs, whose count documents do not have. The median is by the {@link NearestRank}. */
public record Spread(
    double median, double min, double max, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) int count)
{
    /** @param values in any order, at least one. */
    public static Spread of(final double... values)
    {
        final double[] sorted = Arrays.stream(values).sorted().toArray();
        final int count = sorted.length;
        return new Spread(sorted[NearestRank.index(count, NearestRank.MEDIAN)], sorted[0], sorted[count - 1], count);
    }

    /** Difference of the medians, with the range over all pairs of a value and one of the other; it has the count of this one. */
    public Spread minus(final Spread other)
    {
        return new Spread(median - other.median, min - other.max, max - other.min, count);
    }

    /** Ratio of the medians, with the smallest and the largest of a value to one of the other; it has the count of this one. */
    public Spread dividedBy(final Spread other)
    {
        return new Spread(median / other.median, min / other.max, max / other.min, count);
    }
}
