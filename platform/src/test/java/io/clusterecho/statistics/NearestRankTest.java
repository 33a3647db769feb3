package io.clusterecho.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NearestRankTest
{
    @Test
    void shouldTakeTheOnlyValueForEachPercentile()
    {
        for (final double percent : new double[]{ 0, 1, 50, 99.99, 100 })
        {
            assertThat(NearestRank.of(new long[]{ 7 }, percent)).isEqualTo(7);
            assertThat(NearestRank.of(new double[]{ 7.5 }, percent)).isEqualTo(7.5);
        }
    }

    @Test
    void shouldTakeTheLowerOfTheMiddleTwoForTheMedian()
    {
        assertThat(NearestRank.of(new long[]{ 10, 2 }, NearestRank.MEDIAN)).isEqualTo(2);
        assertThat(NearestRank.of(new long[]{ 4, 100, 1, 2 }, NearestRank.MEDIAN)).isEqualTo(2);
        assertThat(NearestRank.of(new double[]{ 9, 1, 4 }, NearestRank.MEDIAN)).isEqualTo(4);
        assertThat(NearestRank.of(new long[]{ 10, 2 }, 50.1)).isEqualTo(10);
    }

    @Test
    void shouldTakeTheSmallestAndTheLargestAtTheEnds()
    {
        final long[] values = { 5, 3, 9, 1 };
        assertThat(NearestRank.of(values, 0)).isEqualTo(1);
        assertThat(NearestRank.of(values, 100)).isEqualTo(9);
        assertThat(NearestRank.of(new double[]{ 5, 3, 9, 1 }, 0)).isEqualTo(1);
        assertThat(NearestRank.of(new double[]{ 5, 3, 9, 1 }, 100)).isEqualTo(9);
    }

    @Test
    void shouldNotBeAffectedByRounding()
    {
        for (int percent = 1; percent <= 100; percent++)
        {
            assertThat(NearestRank.index(100, percent)).as("p%d", percent).isEqualTo(percent - 1);
            assertThat(NearestRank.index(10_000, percent)).as("p%d", percent).isEqualTo(100 * percent - 1);
        }
    }

    @Test
    void shouldLeaveTheValuesInTheirOrder()
    {
        final long[] longs = { 5, 3, 9 };
        final double[] doubles = { 5, 3, 9 };
        NearestRank.of(longs, 90);
        NearestRank.of(doubles, 90);
        assertThat(longs).containsExactly(5, 3, 9);
        assertThat(doubles).containsExactly(5, 3, 9);
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 2, 3, 4, 7, 10, 99, 100, 101, 1_000 })
    void shouldAgreeWithHdrHistogram(final int count)
    {
        final Random random = new Random(count);
        for (int trial = 0; trial < 50; trial++)
        {
            // Below 2,000 with three digits, each value has a separate bucket.
            final long[] values = random.longs(count, 0, 2_000).toArray();
            final Histogram histogram = new Histogram(3);
            Arrays.stream(values).forEach(histogram::recordValue);
            for (final double percent : new double[]{ 0, 0.1, 1, 7, 10, 25, 29, 50, 57, 75, 90, 99, 99.9, 99.99, 100 })
            {
                assertThat(NearestRank.of(values, percent)).as("p%s of %d", percent, count)
                    .isEqualTo(histogram.getValueAtPercentile(percent));
            }
            final double percent = 100 * random.nextDouble();
            assertThat(NearestRank.of(values, percent)).as("p%s of %d", percent, count)
                .isEqualTo(histogram.getValueAtPercentile(percent));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = { -0.1, 100.1, Double.NaN })
    void shouldRejectInvalidPercentiles(final double percent)
    {
        assertThatThrownBy(() -> NearestRank.index(3, percent)).hasMessageContaining("0 to 100, actual=" + percent);
    }

    @Test
    void shouldRefuseNoValues()
    {
        assertThatThrownBy(() -> NearestRank.of(new long[0], 50)).hasMessageContaining("at least one value");
        assertThatThrownBy(() -> NearestRank.of(new double[0], 50)).hasMessageContaining("at least one value");
    }
}
