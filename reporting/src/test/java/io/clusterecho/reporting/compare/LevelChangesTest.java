package io.clusterecho.reporting.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LevelChangesTest
{
    private static final int DRAW_COUNT = 500;
    private static final double ALPHA = 0.05;

    /** The limits leave room for the scatter of 500 draws: three standard errors of a share of 5% are 2.9%. */
    @ParameterizedTest
    @CsvSource({ "12, even", "20, even", "60, even", "20, unequal", "60, unequal", "20, outliers", "60, outliers" })
    void shouldSeldomFindAChangeWhereThereIsNone(final int count, final String kind)
    {
        final SplittableRandom random = new SplittableRandom(count);
        int alarmCount = 0;
        for (int i = 0; i < DRAW_COUNT; i++)
        {
            alarmCount += LevelChanges.of(series(random, count, kind), ALPHA).isEmpty() ? 0 : 1;
        }
        System.out.printf("alarms of %d %s values: %.1f%%%n", count, kind, 100.0 * alarmCount / DRAW_COUNT);
        assertThat(alarmCount / (double)DRAW_COUNT).isLessThanOrEqualTo(0.079);
    }

    @ParameterizedTest
    @CsvSource({ "12, 6, 4, 0.8", "20, 10, 3, 0.9", "30, 24, 3, 0.55", "40, 20, 2, 0.65", "20, 10, -3, 0.9" })
    void shouldFindAChangeWithinAPoint(final int count, final int index, final double sigmas, final double least)
    {
        final SplittableRandom random = new SplittableRandom(count);
        int foundCount = 0;
        for (int i = 0; i < DRAW_COUNT; i++)
        {
            final double[] values = series(random, count, "even");
            for (int at = index; at < count; at++)
            {
                values[at] += sigmas;
            }
            final List<Integer> changes = LevelChanges.of(values, ALPHA);
            foundCount += 1 == changes.size() && Math.abs(changes.get(0) - index) <= 1 ? 1 : 0;
        }
        System.out.printf(
            "%.0f sigma at %d of %d found within a point: %.1f%%%n", sigmas, index, count, 100.0 * foundCount / DRAW_COUNT);
        assertThat(foundCount / (double)DRAW_COUNT).isGreaterThan(least);
    }

    @Test
    void shouldFindALevelThatCameAndWent()
    {
        final SplittableRandom random = new SplittableRandom(3);
        int foundCount = 0;
        for (int i = 0; i < DRAW_COUNT; i++)
        {
            final double[] values = series(random, 45, "even");
            for (int at = 15; at < 30; at++)
            {
                values[at] += 4;
            }
            final List<Integer> changes = LevelChanges.of(values, ALPHA);
            foundCount += 2 == changes.size() && Math.abs(changes.get(0) - 15) <= 1 && Math.abs(changes.get(1) - 30) <= 1 ? 1 : 0;
        }
        System.out.printf("a level that came and went, found within a point: %.1f%%%n", 100.0 * foundCount / DRAW_COUNT);
        assertThat(foundCount / (double)DRAW_COUNT).isGreaterThan(0.8);
    }

    @Test
    void shouldProveNothingOfFewValues()
    {
        assertThat(LevelChanges.minCount(0.01)).isEqualTo(16);
        assertThat(LevelChanges.minCount(0.05)).isEqualTo(12);
        assertThat(LevelChanges.of(new double[]{ 1, 2, 3, 4, 5, 95, 96, 97, 98, 99, 100 }, ALPHA)).isEmpty();
        assertThat(LevelChanges.of(new double[]{ 1, 2, 3, 4, 5, 6, 95, 96, 97, 98, 99, 100 }, ALPHA)).containsExactly(6);
        assertThat(LevelChanges.of(new double[100], ALPHA)).isEmpty();
        assertThat(LevelChanges.of(new double[0], ALPHA)).isEmpty();
    }

    private static double[] series(final SplittableRandom random, final int count, final String kind)
    {
        final double[] values = new double[count];
        for (int i = 0; i < count; i++)
        {
            final double scale = "unequal".equals(kind) ? 0.5 + 2.5 * random.nextDouble() :
                "outliers".equals(kind) && random.nextInt(10) == 0 ? 50 : 1;
            values[i] = scale * random.nextGaussian();
        }
        return values;
    }
}
