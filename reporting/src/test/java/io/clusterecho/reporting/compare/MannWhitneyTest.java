package io.clusterecho.reporting.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MannWhitneyTest
{
    /** Permeability of the human chorioamnion at term and before: Hollander and Wolfe, 1973, page 69. */
    private static final double[] AT_TERM = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
    private static final double[] BEFORE = { 1.15, 0.88, 0.90, 0.74, 1.21 };

    @Test
    void shouldFindTheSampleWithTheLargerRanks()
    {
        assertThat(MannWhitney.direction(new double[]{ 1, 2, 3 }, new double[]{ 2, 4 })).isEqualTo(1);
        assertThat(MannWhitney.direction(new double[]{ 2, 4 }, new double[]{ 1, 2, 3 })).isEqualTo(-1);
        assertThat(MannWhitney.direction(new double[]{ 1, 3 }, new double[]{ 2 })).isZero();
        // The median of the second is smaller, and its ranks are larger.
        assertThat(MannWhitney.direction(new double[]{ 1, 1, 8, 8, 8 }, new double[]{ 7, 7, 7, 9, 9 })).isEqualTo(1);
    }

    @Test
    void shouldGiveTheProbabilityOfAPublishedExample()
    {
        // The one-sided 0.1272 of the book, as in the reference of R's wilcox.test, doubled: the distribution is symmetric.
        assertThat(MannWhitney.pValue(AT_TERM, BEFORE)).isCloseTo(2 * 0.1272, within(1e-4));
        assertThat(MannWhitney.pValue(BEFORE, AT_TERM)).isEqualTo(MannWhitney.pValue(AT_TERM, BEFORE));
    }

    @Test
    void shouldGiveTheProbabilityThatSciPyDocuments()
    {
        assertThat(MannWhitney.pValue(new double[]{ 19, 22, 16, 29, 24 }, new double[]{ 20, 11, 17, 12 }))
            .isCloseTo(0.1111111111111111, within(1e-12));
    }

    /** Critical values of U, two-sided at 5%, as statistics books print them: the largest U that is significant. */
    @ParameterizedTest
    @CsvSource({
        "4,4,0", "4,5,1", "5,5,2", "5,6,3", "6,6,5", "6,7,6", "7,7,8", "8,8,13", "9,9,17", "10,10,23", "5,10,8", "12,15,49",
        "15,15,64", "20,20,127" })
    void shouldAgreeWithTablesOfCriticalValues(final int countA, final int countB, final int critical)
    {
        assertThat(pValueOf(countA, countB, critical)).isLessThanOrEqualTo(0.05);
        assertThat(pValueOf(countA, countB, critical + 1)).isGreaterThan(0.05);
    }

    @Test
    void shouldCountOutTiesLikeEveryWayToDealThem()
    {
        final Random random = new Random(7);
        for (int trial = 0; trial < 200; trial++)
        {
            final double[] a = random.ints(1 + random.nextInt(5), 0, 4).asDoubleStream().toArray();
            final double[] b = random.ints(1 + random.nextInt(5), 0, 4).asDoubleStream().toArray();
            assertThat(MannWhitney.pValue(a, b)).as(Arrays.toString(a) + Arrays.toString(b))
                .isCloseTo(everyDeal(a, b), within(1e-12));
        }
    }

    @Test
    void shouldAgreeWithTheNormalApproximationOfManyValuesWithTies()
    {
        // The values 2 to 14 occur four times each, 0, 1, 15 and 16 twice. The textbook's variance is
        // n m / 12 (N + 1 - sum(t^3 - t) / (N (N - 1))).
        final double[] a = new double[30];
        final double[] b = new double[30];
        for (int i = 0; i < 30; i++)
        {
            a[i] = i / 2;
            b[i] = i / 2 + 2;
        }
        final double u = uOf(a, b);
        final double ties = 13 * (4 * 4 * 4 - 4) + 4 * (2 * 2 * 2 - 2);
        final double variance = 30 * 30 / 12.0 * (61 - ties / (60.0 * 59.0));
        final double z = (450 - u - 0.5) / Math.sqrt(variance);
        assertThat(MannWhitney.pValue(a, b)).isCloseTo(2 * upperTailBySimpson(z), within(2e-3));
    }

    /** Without and with ties, and however far the samples are apart. */
    @ParameterizedTest
    @ValueSource(ints = { 1_000_000, 12 })
    void shouldAgreeWithTheNormalApproximationWhereItBegins(final int differentCount)
    {
        final Random random = new Random(differentCount);
        final int count = MannWhitney.MAX_EXACT_COUNT;
        for (int trial = 0; trial < 200; trial++)
        {
            final int shift = differentCount * trial / 400;
            final double[] a = random.ints(count, 0, differentCount).asDoubleStream().toArray();
            final double[] b = random.ints(count, shift, shift + differentCount).asDoubleStream().toArray();
            assertThat(MannWhitney.pValue(a, b)).isEqualTo(MannWhitney.exact(a, b))
                .isCloseTo(MannWhitney.normal(a, b), within(6e-3));
        }
        final double[] more = random.ints(count + 1, 0, differentCount).asDoubleStream().toArray();
        assertThat(MannWhitney.pValue(more, more)).isEqualTo(MannWhitney.normal(more, more)).isEqualTo(1);
    }

    @Test
    void shouldFindNothingInEqualValues()
    {
        assertThat(MannWhitney.pValue(new double[]{ 5, 5, 5, 5 }, new double[]{ 5, 5, 5, 5 })).isEqualTo(1);
        final double[] many = new double[40];
        assertThat(MannWhitney.pValue(many, many)).isEqualTo(1);
    }

    @Test
    void shouldSayHowManyRunsAreNeeded()
    {
        assertThat(MannWhitney.leastPValue(4, 4)).isCloseTo(2 / 70.0, within(1e-15));
        assertThat(MannWhitney.leastPValue(3, 10)).isCloseTo(2 / 286.0, within(1e-15));
        assertThat(MannWhitney.leastPValue(1, 1)).isEqualTo(1);
        assertThat(MannWhitney.leastCount(0.05)).isEqualTo(4);
        assertThat(MannWhitney.leastCount(0.01)).isEqualTo(5);
        assertThat(MannWhitney.leastCount(1e-30)).isEqualTo(53);
        assertThat(MannWhitney.pValue(new double[]{ 1, 2, 3, 4 }, new double[]{ 5, 6, 7, 8 }))
            .isCloseTo(MannWhitney.leastPValue(4, 4), within(1e-15));
    }

    /** Samples without ties whose U is the one given. */
    private static double pValueOf(final int countA, final int countB, final int u)
    {
        final double[] a = new double[countA];
        final double[] b = new double[countB];
        for (int i = 0; i < countB; i++)
        {
            b[i] = i + 1;
        }
        int left = u;
        for (int i = countA - 1; i >= 0; i--)
        {
            final int above = Math.min(left, countB);
            a[i] = above + 0.5 + i / 100.0;
            left -= above;
        }
        assertThat(uOf(a, b)).isEqualTo(u);
        return MannWhitney.pValue(a, b);
    }

    /** Pairs in which the value of a is the larger one; a tie is half a pair. */
    private static double uOf(final double[] a, final double[] b)
    {
        double u = 0;
        for (final double first : a)
        {
            for (final double second : b)
            {
                u += first > second ? 1 : first == second ? 0.5 : 0;
            }
        }

        return u;
    }

    private static double everyDeal(final double[] a, final double[] b)
    {
        final double[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        final double mean = a.length * b.length / 2.0;
        final double distance = Math.abs(uOf(a, b) - mean);
        int asFar = 0;
        int count = 0;
        for (int chosen = 0; chosen < 1 << all.length; chosen++)
        {
            if (Integer.bitCount(chosen) == a.length)
            {
                final double[] first = new double[a.length];
                final double[] second = new double[b.length];
                int firstCount = 0;
                int secondCount = 0;
                for (int i = 0; i < all.length; i++)
                {
                    if (0 != (chosen >> i & 1))
                    {
                        first[firstCount++] = all[i];
                    }
                    else
                    {
                        second[secondCount++] = all[i];
                    }
                }
                count++;
                asFar += Math.abs(uOf(first, second) - mean) >= distance ? 1 : 0;
            }
        }

        return (double)asFar / count;
    }

    private static double upperTailBySimpson(final double z)
    {
        final int steps = 20_000;
        final double width = (12 - z) / steps;
        double sum = 0;
        for (int i = 0; i <= steps; i++)
        {
            final double x = z + i * width;
            final int weight = 0 == i || steps == i ? 1 : 0 == i % 2 ? 2 : 4;
            sum += weight * Math.exp(-x * x / 2);
        }

        return sum * width / 3 / Math.sqrt(2 * Math.PI);
    }
}
