package io.clusterecho.reporting.compare;

import java.util.Arrays;
import java.util.stream.IntStream;

import io.clusterecho.reporting.confidence.Ranks;

/**
 * The two-sided Mann-Whitney test: the probability that two samples differ at least as much as these if both come from the same
 * distribution, of any shape.
 * <p>
 * Up to {@value #MAX_EXACT_COUNT} values in all, the distribution of the rank sum is enumerated over all assignments of the
 * values to the samples, with mean ranks for ties, so the result is exact with ties too. Above that it uses the normal
 * approximation with corrections for ties and continuity.
 */
final class MannWhitney
{
    /**
     * Most values for an exact distribution: the number of assignments, C(50, 25) = 1.3e14, is an integer that a double
     * represents.
     */
    static final int MAX_EXACT_COUNT = 50;

    /** Beyond this the tail is smaller than the resolution of a double near 1/2. */
    private static final double MAX_Z = 8;

    private MannWhitney()
    {
    }

    /** Probability of such a difference by chance alone, from 0 to 1; neither sample is empty. */
    static double pValue(final double[] a, final double[] b)
    {
        final long[] doubledRanks = doubledRanks(a, b);
        return a.length + b.length <= MAX_EXACT_COUNT ? exact(a.length, doubledRanks) : approximate(a.length, doubledRanks);
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

    /** Smallest size of two equally large samples that can prove a difference at a level above 0; -1 if none is small enough. */
    static int leastCount(final double alpha)
    {
        return IntStream.rangeClosed(1, MAX_EXACT_COUNT / 2)
            .filter((count) -> leastPValue(count, count) <= alpha).findFirst().orElse(-1);
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

    private static double exact(final int countA, final long[] doubledRanks)
    {
        final double[] ways = Ranks.waysBySum(countA, doubledRanks);
        final long expected = (long)countA * (doubledRanks.length + 1);
        final long distance = Math.abs(sumOfFirst(countA, doubledRanks) - expected);
        double all = 0;
        double asFar = 0;
        for (int sum = 0; sum < ways.length; sum++)
        {
            all += ways[sum];
            asFar += Math.abs(sum - expected) >= distance ? ways[sum] : 0;
        }

        return asFar / all;
    }

    private static double approximate(final int countA, final long[] doubledRanks)
    {
        final double count = doubledRanks.length;
        final double countB = count - countA;
        final double distance = Math.abs(sumOfFirst(countA, doubledRanks) / 2.0 - countA * (count + 1) / 2);
        // Variance of the ranks: ties make it smaller.
        double squares = 0;
        for (final long rank : doubledRanks)
        {
            squares += Math.pow(rank / 2.0 - (count + 1) / 2, 2);
        }
        final double variance = countA * countB / (count * (count - 1)) * squares;
        if (0 == variance)
        {
            return 1;
        }

        return Math.min(1, 2 * upperTail(Math.min(MAX_Z, Math.max(0, distance - 0.5) / Math.sqrt(variance))));
    }

    private static long sumOfFirst(final int countA, final long[] doubledRanks)
    {
        return Arrays.stream(doubledRanks, 0, countA).sum();
    }

    /**
     * Probability of the standard normal distribution above z, by its power series (G. Marsaglia, Evaluating the Normal
     * Distribution, Journal of Statistical Software 11, 2004); the absolute error is that of the doubles summed.
     */
    private static double upperTail(final double z)
    {
        double term = z;
        double sum = z;
        for (int odd = 3; term > sum * 1e-17; odd += 2)
        {
            term *= z * z / odd;
            sum += term;
        }

        return Math.max(0, 0.5 - sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI));
    }
}
