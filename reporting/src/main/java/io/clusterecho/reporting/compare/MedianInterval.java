package io.clusterecho.reporting.compare;

import java.util.Arrays;
import java.util.stream.IntStream;

import io.clusterecho.statistics.NearestRank;

/**
 * The median of a sample with a confidence interval for the median of the distribution. The interval is between order
 * statistics: each value is equally likely to be on either side of the true median, so their number is binomial and the
 * confidence is exact for any distribution.
 *
 * @param confidence that the interval contains the true median: at least the requested one, or, if the sample is too small for
 *                   that, the confidence of its smallest and largest value.
 */
record MedianInterval(double median, double low, double high, double confidence)
{
    /** The narrowest interval with a confidence below 1 and equal ranks from both ends, of at least one value. */
    static MedianInterval of(final double[] values, final double confidence)
    {
        final double[] sorted = Arrays.stream(values).sorted().toArray();
        final int count = sorted.length;

        // This many values are left out at each end; below is the probability that no more of them are beyond the true median.
        int leftOut = 0;
        double term = Math.pow(0.5, count);
        double below = term;
        double reached = Math.max(0, 1 - 2 * below);
        for (int more = 1; 2 * more < count - 1; more++)
        {
            term = term * (count - more + 1) / more;
            below += term;
            if (1 - 2 * below < confidence)
            {
                break;
            }
            leftOut = more;
            reached = 1 - 2 * below;
        }

        final double median = sorted[NearestRank.index(count, NearestRank.MEDIAN)];
        return new MedianInterval(median, sorted[leftOut], sorted[count - 1 - leftOut], reached);
    }

    /** Smallest sample that can reach a confidence below 1. */
    static int leastCount(final double confidence)
    {
        return IntStream.iterate(1, (count) -> count + 1).filter((count) -> 1 - Math.pow(0.5, count - 1) >= confidence)
            .findFirst().orElseThrow();
    }
}
