package io.clusterecho.reporting.confidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangePointTest
{
    private static final int DRAW_COUNT = 2_000;

    @ParameterizedTest
    @CsvSource({ "20, 0, 0.006", "60, 0, 0.006", "300, 0, 0.006", "20, 0.3, 0.025", "60, 0.3, 0.03", "300, 0.3, 0.02",
        "20, 0.6, 0.07", "60, 0.6, 0.08", "300, 0.6, 0.06" })
    void shouldSeldomFindAChangeWhereThereIsNone(final int count, final double correlation, final double most)
    {
        final SplittableRandom random = new SplittableRandom(count);
        int foundCount = 0;
        for (int i = 0; i < DRAW_COUNT; i++)
        {
            foundCount += 0 == ChangePoint.of(series(random, count, correlation, count, 0)) ? 0 : 1;
        }
        System.out.printf(
            "changes found in %d values, correlation %.1f: %.2f%%%n", count, correlation, 100.0 * foundCount / DRAW_COUNT);
        assertThat((double)foundCount / DRAW_COUNT).isLessThanOrEqualTo(most);
    }

    @Test
    void shouldFindWhereTheLevelChanged()
    {
        final SplittableRandom random = new SplittableRandom(1);
        int foundCount = 0;
        for (int i = 0; i < 200; i++)
        {
            final int index = ChangePoint.of(series(random, 60, 0, 20, 4));
            foundCount += index >= 18 && index <= 22 ? 1 : 0;
        }
        assertThat(foundCount).isGreaterThan(180);
    }

    @Test
    void shouldFindADrift()
    {
        final SplittableRandom random = new SplittableRandom(1);
        int foundCount = 0;
        for (int i = 0; i < 200; i++)
        {
            final double[] values = series(random, 60, 0, 60, 0);
            Arrays.setAll(values, (at) -> values[at] + 4.0 * at / values.length);
            foundCount += 0 == ChangePoint.of(values) ? 0 : 1;
        }
        assertThat(foundCount).isGreaterThan(180);
    }

    @Test
    void shouldFindNoneInEqualValuesShortSeriesAndOutliers()
    {
        assertThat(ChangePoint.of(new double[100])).isZero();
        assertThat(ChangePoint.of(0, 0, 0, 0, 9, 9, 9, 9, 9)).isZero();
        final double[] outliers = series(new SplittableRandom(2), 60, 0, 60, 0);
        outliers[30] = 1e9;
        outliers[31] = 1e9;
        assertThat(ChangePoint.of(outliers)).isZero();
    }

    private static double[] series(
        final SplittableRandom random, final int count, final double correlation, final int changeIndex, final double change)
    {
        final double[] values = new double[count];
        double level = random.nextGaussian();
        for (int i = 0; i < count; i++)
        {
            values[i] = level + (i < changeIndex ? 0 : change);
            level = correlation * level + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        }
        return values;
    }
}
