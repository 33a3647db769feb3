package io.clusterecho.reporting.confidence;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Ranks of values among each other. */
public final class Ranks
{
    private Ranks()
    {
    }

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
