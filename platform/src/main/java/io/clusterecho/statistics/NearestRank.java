package io.clusterecho.statistics;

import java.util.Arrays;

/**
 * The definition of percentiles of a list of values: the value at rank <i>ceil(p / 100 * n)</i> of <i>n</i> in ascending order,
 * as in HdrHistogram. A percentile is always one of the values; the median (p50) of an even number of values is the lower of the
 * two in the middle.
 */
public final class NearestRank
{
    /** The percentile that is the median. */
    public static final double MEDIAN = 50;

    /**
     * Index of a percentile among sorted values.
     *
     * @param count   number of values, at least 1.
     * @param percent 0 to 100; 0 is the smallest value, 100 the largest.
     * @return index in ascending order, from 0.
     */
    public static int index(final int count, final double percent)
    {
        if (count < 1)
        {
            throw new IllegalArgumentException("expected at least one value, actual=" + count);
        }
        if (!(percent >= 0 && percent <= 100))
        {
            throw new IllegalArgumentException("expected a percentile from 0 to 100, actual=" + percent);
        }

        // A little less, as in HdrHistogram: 7% of 100 values is computed as 7.000000000000001, and must still be the seventh.
        return Math.max(1, (int)Math.ceil(Math.nextDown(percent) * count / 100)) - 1;
    }

    /** A percentile, 0 to 100, of one or more values in any order, which are not changed. */
    public static long of(final long[] values, final double percent)
    {
        return Arrays.stream(values).sorted().toArray()[index(values.length, percent)];
    }

    /** A percentile, 0 to 100, of one or more values in any order, which are not changed. */
    public static double of(final double[] values, final double percent)
    {
        return Arrays.stream(values).sorted().toArray()[index(values.length, percent)];
    }
}
