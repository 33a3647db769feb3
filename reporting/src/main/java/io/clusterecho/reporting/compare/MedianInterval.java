package io.clusterecho.reporting.compare;

import java.util.Arrays;

import io.clusterecho.statistics.NearestRank;

/**
 * The median of a sample, and between which of its values the median of the whole distribution lies. The interval is that of
 * the order statistics: the values are equally likely to fall on either side of the true median, so how many do is binomial,
 * and the confidence is exact whatever the distribution's shape.
 *
 * @param median     of the sample.
 * @param low        lower end, a value of the sample.
 * @param high       upper end, a value of the sample.
 * @param confidence that the true median lies between them: at least what was asked for, or, where the sample is too small
 *                   for that, what its smallest and largest value give.
 */
record MedianInterval(double median, double low, double high, double confidence)
{
    /**
     * Find it.
     *
     * @param values     of the sample, at least one, in any order.
     * @param confidence asked for, below 1.
     * @return the narrowest interval of equal ranks from both ends that has it.
     */
    static MedianInterval of(final double[] values, final double confidence)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        final int count = sorted.length;

        // So many values are left out at each end; below is the probability that no more of them lie beyond the true median.
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

    /**
     * How many values it takes to reach a confidence at all.
     *
     * @param confidence asked for, below 1.
     * @return size of a sample, at least 1.
     */
    static int leastCount(final double confidence)
    {
        int count = 1;
        while (1 - Math.pow(0.5, count - 1) < confidence)
        {
            count++;
        }

        return count;
    }
}
