package io.clusterecho.client.results;

import java.util.Arrays;

/**
 * The one rule by which a quantile of a list of values is taken: the nearest rank, so that it is always one of the values. The
 * median of an even number of values is the lower of the two in the middle.
 */
public final class NearestRank
{
    private NearestRank()
    {
    }

    /**
     * A quantile.
     *
     * @param values in any order, at least one.
     * @param share  of the values that lie at it or below, 0 to 1; 0 is the smallest, 0.5 the median.
     * @return one of the values.
     */
    public static long of(final long[] values, final double share)
    {
        final long[] sorted = values.clone();
        Arrays.sort(sorted);
        return ofSorted(sorted, share);
    }

    /**
     * A quantile of sorted values.
     *
     * @param sorted ascending, at least one.
     * @param share  of the values that lie at it or below, 0 to 1.
     * @return one of the values.
     */
    public static long ofSorted(final long[] sorted, final double share)
    {
        return sorted[Math.max(1, (int)Math.ceil(share * sorted.length)) - 1];
    }
}
