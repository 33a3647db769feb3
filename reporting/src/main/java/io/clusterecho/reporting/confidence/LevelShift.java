package io.clusterecho.reporting.confidence;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.clusterecho.statistics.NearestRank;

/**
 * How far one level is above another, as a share of it: the median of all ratios of a later to an earlier value, less 1 (Hodges
 * and Lehmann). The bounds are ratios too, by the distribution of the rank sum, whatever that of the values is. They take the
 * place of the change as known; where it was found in the same values they are somewhat too narrow.
 *
 * @param share      of the earlier level, for instance 0.1 for 10% more.
 * @param confidence that the bounds contain the true share: at least 0.95, or less where there are too few values for that.
 */
public record LevelShift(double share, double low, double high, double confidence)
{
    private static final double TAIL = 0.025;
    private static final int MAX_EXACT_COUNT = 50;
    private static final double Z = 1.959964;

    /**
     * @param before values of the earlier level, at least one, all above 0.
     * @param after  values of the later level, at least one.
     */
    public static LevelShift of(final double[] before, final double[] after)
    {
        final double[] ratios = new double[before.length * after.length];
        for (int i = 0; i < before.length; i++)
        {
            for (int j = 0; j < after.length; j++)
            {
                ratios[i * after.length + j] = after[j] / before[i];
            }
        }
        Arrays.sort(ratios);

        int leftOut = 0;
        double confidence = 1 - 2 * TAIL;
        if (before.length + after.length > MAX_EXACT_COUNT)
        {
            final double scatter = Math.sqrt(ratios.length * (before.length + after.length + 1.0) / 12);
            leftOut = Math.max(0, (int)Math.floor(ratios.length / 2.0 - Z * scatter - 0.5));
        }
        else
        {
            final double[] shares = pairs(before.length, after.length);
            double below = shares[0];
            while (leftOut + 1 < ratios.length / 2 && below + shares[leftOut + 1] <= TAIL)
            {
                leftOut++;
                below += shares[leftOut];
            }
            confidence = 1 - 2 * below;
        }
        return new LevelShift(
            ratios[NearestRank.index(ratios.length, NearestRank.MEDIAN)] - 1, ratios[leftOut] - 1,
            ratios[ratios.length - 1 - leftOut] - 1, confidence);
    }

    /** Distribution of the number of pairs in which the later value is smaller, if the levels are equal. */
    private static double[] pairs(final int countBefore, final int countAfter)
    {
        final double[] ways = Ranks.waysBySum(
            countBefore, LongStream.rangeClosed(1, countBefore + countAfter).map((rank) -> 2 * rank).toArray());
        final double all = Arrays.stream(ways).sum();
        final int least = countBefore * (countBefore + 1);
        return IntStream.rangeClosed(0, countBefore * countAfter).mapToDouble((count) -> ways[least + 2 * count] / all).toArray();
    }
}
