package io.clusterecho.reporting.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MedianIntervalTest
{
    /** Ranks and confidence as tables of the sign test print them. */
    @ParameterizedTest
    @CsvSource({
        "6,1,6,0.96875", "8,1,8,0.9921875", "9,2,8,0.9609375", "10,2,9,0.978515625", "15,4,12,0.96484375",
        "20,6,15,0.95861053466796875", "25,8,18,0.9567147493362427" })
    void shouldTakeTheRanksOfTheTables(final int count, final int low, final int high, final double confidence)
    {
        final double[] values = IntStream.rangeClosed(1, count).asDoubleStream().toArray();
        shuffle(values);
        final MedianInterval interval = MedianInterval.of(values, 0.95);
        assertThat(interval.median()).isEqualTo((count + 1) / 2);
        assertThat(interval.low()).isEqualTo(low);
        assertThat(interval.high()).isEqualTo(high);
        assertThat(interval.confidence()).isCloseTo(confidence, within(1e-12));
    }

    @Test
    void shouldSayHowLittleAFewRunsCover()
    {
        assertThat(MedianInterval.of(new double[]{ 7 }, 0.95)).isEqualTo(new MedianInterval(7, 7, 7, 0));
        assertThat(MedianInterval.of(new double[]{ 9, 7, 8, 5, 6 }, 0.95)).isEqualTo(new MedianInterval(7, 5, 9, 0.9375));
        assertThat(MedianInterval.leastCount(0.95)).isEqualTo(6);
        assertThat(MedianInterval.leastCount(0.99)).isEqualTo(8);
    }

    @Test
    void shouldCoverTheTrueMedianAsOftenAsItSays()
    {
        final Random random = new Random(11);
        final int trials = 20_000;
        int covered = 0;
        for (int trial = 0; trial < trials; trial++)
        {
            // Skewed, as times are: the median of the exponential distribution is ln 2.
            final double[] values = random.doubles(10).map((value) -> -Math.log(1 - value)).toArray();
            final MedianInterval interval = MedianInterval.of(values, 0.95);
            covered += interval.low() <= Math.log(2) && Math.log(2) <= interval.high() ? 1 : 0;
        }
        assertThat((double)covered / trials).isCloseTo(0.978515625, within(0.005));
    }

    private static void shuffle(final double[] values)
    {
        final Random random = new Random(5);
        for (int i = values.length - 1; i > 0; i--)
        {
            final int other = random.nextInt(i + 1);
            final double value = values[i];
            values[i] = values[other];
            values[other] = value;
        }
    }
}
