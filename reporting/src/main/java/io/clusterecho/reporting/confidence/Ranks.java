package io.clusterecho.reporting.confidence;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Ranks of values among each other. */
public final class Ranks
{
    /** Equal values have the mean of their ranks, from 0. */
    public static double[] of(final double[] values)
    {
        final int[] order = IntStream.range(0, values.length).boxed()
            .sorted((one, other) -> Double.compare(values[one], values[other])).mapToInt(Integer::intValue).toArray();
        final double[] ranks = new double[values.length];
        int begin = 0;
        while (begin < order.length)
        {
            int end = begin;
            while (end < order.length && values[order[end]] == values[order[begin]])
            {
                end++;
            }
            final double rank = (begin + end - 1) / 2.0;
            Arrays.stream(order, begin, end).forEach((index) -> ranks[index] = rank);
            begin = end;
        }
        return ranks;
    }

    /**
     * Ways to choose some of several values, by the sum of their ranks: the distribution of the rank sum.
     *
     * @param doubledRanks twice the rank of each value, an integer with ties too.
     */
    public static double[] waysBySum(final int chosenCount, final long[] doubledRanks)
    {
        final int most = (int)Arrays.stream(doubledRanks).sorted().skip(doubledRanks.length - chosenCount).sum();
        // ways[k][s]: ways to choose k of the values seen so far with a sum of s.
        final double[][] ways = new double[chosenCount + 1][most + 1];
        ways[0][0] = 1;
        for (final long rank : doubledRanks)
        {
            for (int chosen = chosenCount; chosen > 0; chosen--)
            {
                for (int sum = most; sum >= rank; sum--)
                {
                    ways[chosen][sum] += ways[chosen - 1][sum - (int)rank];
                }
            }
        }
        return ways[chosenCount];
    }

    /** Number of ways to choose some of several: the binomial coefficient. */
    public static double ways(final int count, final int chosen)
    {
        double ways = 1;
        for (int i = 1; i <= chosen; i++)
        {
            ways = ways * (count - chosen + i) / i;
        }
        return ways;
    }
}
