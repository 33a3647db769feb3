package io.clusterecho.reporting.confidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrecisionRuleTest
{
    private static final long SEED = 20261125;
    /** All of the draws behind the documents with {@code -Dcoverage.draws=10000}. */
    private static final int DRAW_COUNT = Integer.getInteger("coverage.draws", 250);
    private static final int BOUND = 600;
    private static final int LENGTH = 50;
    private static final double LEAST = 0.88;

    /** What looking several times does to the bounds: see docs/MEASURING.md. */
    @ParameterizedTest
    @CsvSource({
        "INDEPENDENT, 99, 0.010", "INDEPENDENT, 99, 0.006", "INDEPENDENT, 50, 0.003", "INDEPENDENT, 50, 0.002",
        "AUTOREGRESSIVE, 50, 0.012", "AUTOREGRESSIVE, 50, 0.008", "BURSTS, 50, 0.007", "BURSTS, 50, 0.004",
        "BURSTS, 90, 0.030", "BURSTS, 90, 0.020" })
    void shouldContainThePercentileLittleLessOftenThanWithoutLooking(
        final Series process, final double percent, final double share)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final long truthNs = process.percentileNs(percent);
        int metCount = 0;
        int rightCount = 0;
        long sum = 0;
        for (int i = 0; i < DRAW_COUNT; i++)
        {
            final PrecisionRule rule = new PrecisionRule(percent, share);
            final int count = intervalsUntil(rule, process, random);
            if (count > 0)
            {
                assertThat(rule.halfWidthShare()).isLessThanOrEqualTo(share);
                metCount++;
                sum += count;
                rightCount += rule.bounds().lowNs() <= truthNs && truthNs <= rule.bounds().highNs() ? 1 : 0;
            }
        }

        System.out.printf("coverage until %s p%.0f +-%.1f%%: %.2f%% of %d in %d runs, after %d intervals in the mean%n", process,
            percent, 100 * share, 100.0 * rightCount / metCount, metCount, DRAW_COUNT, sum / metCount);
        assertThat(metCount).isGreaterThan(DRAW_COUNT * 9 / 10);
        final double chance = 3 * Math.sqrt(0.08 * 0.92 / metCount);
        assertThat((double)rightCount / metCount).isBetween(LEAST - chance, 0.97 + chance);
    }

    private static int intervalsUntil(final PrecisionRule rule, final Series process, final SplittableRandom random)
    {
        final double[] times = new double[BOUND * LENGTH];
        process.fill(random, times, LENGTH);
        final long[] ones = new long[LENGTH];
        Arrays.fill(ones, 1);
        for (int i = 0; i < BOUND; i++)
        {
            if (isMetWith(rule, Series.interval(times, i * LENGTH, LENGTH), ones))
            {
                return i + 1;
            }
        }
        return 0;
    }

    @Test
    void shouldLookSeldom()
    {
        final PrecisionRule rule = new PrecisionRule(50, 1e-9);
        final SplittableRandom random = new SplittableRandom(SEED);
        final int[] looks = new int[200];
        isMetWith(rule, new long[0], new long[0]);
        for (int i = 0; i < looks.length; i++)
        {
            isMetWith(rule, random.longs(20, 1_000, 2_000).sorted().toArray(), ones(20));
            looks[i] = rule.lookCount();
        }
        // The empty interval before the first reply does not count: looks after 30, 45, 68, 102 and 153.
        assertThat(looks[28]).isZero();
        assertThat(looks[29]).isEqualTo(1);
        assertThat(looks[43]).isEqualTo(1);
        assertThat(looks[44]).isEqualTo(2);
        assertThat(looks[66]).isEqualTo(2);
        assertThat(looks[67]).isEqualTo(3);
        assertThat(looks[199]).isEqualTo(5);
    }

    @Test
    void shouldBeMetAtOnceWhereAllTimesAreEqual()
    {
        final PrecisionRule rule = new PrecisionRule(99, 0.01);
        for (int i = 1; i < PrecisionRule.FIRST_LOOK; i++)
        {
            assertThat(isMetWith(rule, new long[]{ 150_000 }, new long[]{ 100 })).isFalse();
        }
        assertThat(isMetWith(rule, new long[]{ 150_000 }, new long[]{ 100 })).isTrue();
        assertThat(rule.halfWidthShare()).isZero();
    }

    @Test
    void shouldNotBeMetWithoutBounds()
    {
        final PrecisionRule rule = new PrecisionRule(99.9, 0.5);
        assertThat(rule.halfWidthShare()).isNaN();
        for (int i = 0; i < 100; i++)
        {
            assertThat(isMetWith(rule, new long[]{ 100, 200 }, new long[]{ 5, 5 })).isFalse();
        }
        assertThat(rule.bounds().missing()).contains("fewer than 20 independent ones");
    }

    private static boolean isMetWith(final PrecisionRule rule, final long[] values, final long[] counts)
    {
        rule.series.add(values, counts);
        return rule.isMet(0 == values.length);
    }

    private static long[] ones(final int count)
    {
        final long[] ones = new long[count];
        Arrays.fill(ones, 1);
        return ones;
    }
}
