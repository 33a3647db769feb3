package io.clusterecho.reporting.compare;

import java.util.Arrays;
import java.util.stream.IntStream;

import io.clusterecho.reporting.confidence.Ranks;

/**
 * The two-sided Mann-Whitney test: the probability that two samples differ at least as much as these if both come from the same
 * distribution, of any shape.
 * <p>
 * Up to {@value #MAX_EXACT_COUNT} values of the smaller sample the rank sum is enumerated over all assignments of the values to
 * the samples, with mean ranks for ties, so the result is exact with ties too. Beyond, where that would take minutes, its
 * distribution is normal, within 0.006 of the exact probability.
 */
final class MannWhitney
{
    /** Largest size of the smaller sample whose rank sums are enumerated. */
    static final int MAX_EXACT_COUNT = 20;

    /** Probability of such a difference by chance alone, from 0 to 1; neither sample is empty. */
    static double pValue(final double[] a, final double[] b)
    {
        if (a.length > b.length)
        {
            // The same, with fewer assignments of the smaller sample.
            return pValue(b, a);
        }
        return a.length <= MAX_EXACT_COUNT ? exact(a, b) : normal(a, b);
    }

    static double exact(final double[] a, final double[] b)
    {
        final long[] doubledRanks = doubledRanks(a, b);
        final double[] ways = Ranks.waysBySum(a.length, doubledRanks);
        final long expected = (long)a.length * (doubledRanks.length + 1);
        final long distance = Math.abs(sumOfFirst(a.length, doubledRanks) - expected);
        double all = 0;
        double asFar = 0;
        for (int sum = 0; sum < ways.length; sum++)
        {
            all += ways[sum];
            asFar += Math.abs(sum - expected) >= distance ? ways[sum] : 0;
        }
        return asFar / all;
    }

    /** With the variance of these ranks, which corrects it for ties, and half a rank for the steps of the sum. */
    static double normal(final double[] a, final double[] b)
    {
        final long[] doubledRanks = doubledRanks(a, b);
        final double count = doubledRanks.length;
        final double distance = Math.abs(sumOfFirst(a.length, doubledRanks) - a.length * (count + 1)) - 1;
        final double squares = Arrays.stream(doubledRanks).mapToDouble((rank) -> Math.pow(rank - count - 1, 2)).sum();
        final double variance = a.length * b.length * squares / (count * (count - 1));
        return distance <= 0 ? 1 : Math.min(1, 2 * upperTail(distance / Math.sqrt(variance)));
    }

    /** Of the standard normal distribution: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17; within 7.5e-8. */
    private static double upperTail(final double z)
    {
        final double t = 1 / (1 + 0.2316419 * z);
        final double polynomial =
            t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * polynomial;
    }

    /** 1 if the mean rank of the second sample is larger, -1 if that of the first is, 0 if they are equal. */
    static int direction(final double[] a, final double[] b)
    {
        return Long.signum((long)a.length * (a.length + b.length + 1) - sumOfFirst(a.length, doubledRanks(a, b)));
    }

    /** Smallest p-value without ties, that of samples that do not overlap: 2 / C(countA + countB, countA), at most 1. */
    static double leastPValue(final int countA, final int countB)
    {
        return Math.min(1, 2 / Ranks.ways(countA + countB, countA));
    }

    /** Smallest size of two equally large samples that can prove a difference at a level above 0. */
    static int leastCount(final double alpha)
    {
        return IntStream.iterate(1, (count) -> count + 1).filter((count) -> leastPValue(count, count) <= alpha).findFirst()
            .orElseThrow();
    }

    /**
     * Twice the rank of each value, those of the first sample before those of the second. Doubled, so that the mean rank of
     * ties is an integer.
     */
    private static long[] doubledRanks(final double[] a, final double[] b)
    {
        final double[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return Arrays.stream(Ranks.of(all)).mapToLong((rank) -> Math.round(2 * rank) + 2).toArray();
    }

    private static long sumOfFirst(final int countA, final long[] doubledRanks)
    {
        return Arrays.stream(doubledRanks, 0, countA).sum();
    }
}
