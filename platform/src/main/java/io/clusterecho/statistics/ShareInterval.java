package io.clusterecho.statistics;

/**
 * The share of all trials that pass, bounded by a sample of them with 95% confidence, by Clopper and Pearson: outside of these
 * bounds the sample would have so few or so many that pass with a probability of at most 2.5% on each side.
 *
 * @param low  lower bound, 0 to 1.
 * @param high upper bound, 0 to 1.
 */
public record ShareInterval(double low, double high)
{
    private static final double BEYOND = 0.025;
    private static final int BISECTION_COUNT = 40;

    /** Bounds by a sample of at least 1. */
    public static ShareInterval of(final int passedCount, final int count)
    {
        return new ShareInterval(1 - high(count - passedCount, count), high(passedCount, count));
    }

    private static double high(final int passedCount, final int count)
    {
        double low = 0;
        double high = 1;
        for (int i = 0; passedCount < count && i < BISECTION_COUNT; i++)
        {
            final double share = (low + high) / 2;
            if (probabilityOfMore(passedCount, count, share) < 1 - BEYOND)
            {
                low = share;
            }
            else
            {
                high = share;
            }
        }

        return high;
    }

    /** By the logarithms of its terms: of thousands of trials the terms themselves underflow. */
    private static double probabilityOfMore(final int passedCount, final int count, final double share)
    {
        double logarithm = count * Math.log(share);
        double sum = 0;
        for (int i = count; i > passedCount; i--)
        {
            sum += Math.exp(logarithm);
            logarithm += Math.log(i * (1 - share) / ((count - i + 1) * share));
        }

        return sum;
    }
}
