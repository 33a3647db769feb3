package io.clusterecho.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest
{
    @ParameterizedTest
    @ValueSource(longs = { 1, 3, 7, 101_000, 333_333, 999_983, 1_000_000, 1_000_000_000 })
    void shouldBeExactAtAnyIndex(final long rate)
    {
        final Schedule schedule = new ConstantSchedule(rate);
        for (final long index : new long[]{ 0, 1, 2, rate - 1, rate, rate + 1, 3_600 * rate + 17 })
        {
            final long expected = BigInteger.valueOf(index).multiply(BigInteger.valueOf(1_000_000_000))
                .divide(BigInteger.valueOf(rate)).longValueExact();
            assertThat(schedule.timeNs(index)).as("rate=%d, index=%d", rate, index).isEqualTo(expected);
        }
    }

    @Test
    void shouldRefuseARateOfZero()
    {
        assertThatThrownBy(() -> new ConstantSchedule(0)).hasMessageContaining("ratePerSecond=0");
        assertThatThrownBy(() -> new ConstantSchedule(1_000_000_001)).hasMessageContaining("allowed 1 to 1000000000");
    }

    @Test
    void shouldMakeTheSamePoissonArrivalsOfASeedWhicheverWayTheyAreAsked()
    {
        final Schedule first = new PoissonSchedule(100_000, 10_000, 42);
        final Schedule second = new PoissonSchedule(100_000, 10_000, 42);
        second.timeNs(9_999);
        for (int i = 9_999; i >= 0; i--)
        {
            second.timeNs(i);
        }
        for (int i = 0; i < 10_000; i++)
        {
            assertThat(second.timeNs(i)).isEqualTo(first.timeNs(i));
        }
    }

    @Test
    void shouldHaveExponentialDistancesOfTheRightMean()
    {
        final int count = 200_000;
        final Schedule schedule = new PoissonSchedule(10_000, count, 7);
        long before = schedule.timeNs(0);
        double squares = 0;
        long beyondMean = 0;
        for (int i = 1; i < count; i++)
        {
            final long time = schedule.timeNs(i);
            assertThat(time).isGreaterThanOrEqualTo(before);
            final double distance = (time - before) / 100_000.0;
            squares += distance * distance;
            beyondMean += distance > 1 ? 1 : 0;
            before = time;
        }

        // Of an exponential distribution: mean 1, second moment 2, P(x > mean) = 1/e; three standard errors each.
        assertThat(before / 100_000.0 / count).isBetween(0.993, 1.007);
        assertThat(squares / count).isBetween(1.97, 2.03);
        assertThat((double)beyondMean / count).isBetween(Math.exp(-1) - 0.0033, Math.exp(-1) + 0.0033);
    }

    @Test
    void shouldMakeAllMessagesOfABatchDueAtOnce()
    {
        final Schedule schedule = new BatchedSchedule(new ConstantSchedule(1_000), 4);
        assertThat(schedule.timeNs(3)).isEqualTo(0);
        assertThat(schedule.timeNs(4)).isEqualTo(4_000_000);
        assertThat(schedule.timeNs(7)).isEqualTo(4_000_000);
    }

    @ParameterizedTest
    @CsvSource({ "0, 0", "1, 2989", "2, 21321", "127, 1312077", "128, 1321488", "129, 1352979", "1000, 10409107" })
    void shouldMakeTheArrivalsThatSplitMixAndTheLogarithmSay(final int index, final long timeNs)
    {
        // By a second implementation, in Python.
        assertThat(new PoissonSchedule(100_000, 10_000, 42).timeNs(index)).isEqualTo(timeNs);
    }

    @Test
    void shouldRefuseAPoissonScheduleWithoutARateOrWithANegativeLength()
    {
        assertThatThrownBy(() -> new PoissonSchedule(0, 1, 7)).hasMessageContaining("ratePerSecond=0");
        assertThatThrownBy(() -> new PoissonSchedule(1, -1, 7)).hasMessageContaining("messageCount=-1");
        assertThat(new PoissonSchedule(1, 0, 7).timeNs(0)).isEqualTo(0);
    }

    @Test
    void shouldKeepOneStartForEachBlockOfALongPoissonSchedule()
    {
        assertThat(new PoissonSchedule(1_000_000, 20_000_000, 7).timeNs(1_000)).isPositive();
    }

    @Test
    void shouldRefuseABatchWithoutAMessage()
    {
        assertThatThrownBy(() -> new BatchedSchedule(new ConstantSchedule(1), 0)).hasMessageContaining("batchLength=0");
        assertThat(new BatchedSchedule(new ConstantSchedule(1_000), 1).timeNs(1)).isEqualTo(1_000_000);
    }

    @Test
    void shouldKnowTheMeanDistanceBetweenItsTimes()
    {
        assertThat(new ConstantSchedule(3).distanceNs()).isEqualTo(333_333_333);
        assertThat(new PoissonSchedule(3, 10, 7).distanceNs()).isEqualTo(333_333_333);
        assertThat(new PoissonSchedule(10_000_000_000L, 10, 7).distanceNs()).isEqualTo(1);
        assertThat(new BatchedSchedule(new ConstantSchedule(1_000), 4).distanceNs()).isEqualTo(4_000_000);
    }

    @Test
    void shouldKnowTheTargetRateAndTheTimesWithoutChance()
    {
        final Schedule drawn = new PoissonSchedule(1_000, 10, 7);
        assertThat(drawn.meanTimeNs(10)).isEqualTo(10_000_000);
        assertThat(drawn.ratePerSecond(0, 5)).isEqualTo(1_000);
        final Schedule batched = new BatchedSchedule(drawn, 4);
        assertThat(batched.meanTimeNs(7)).isEqualTo(4_000_000);
        assertThat(batched.ratePerSecond(0, 5)).isEqualTo(1_000);
        assertThat(new ConstantSchedule(3).meanTimeNs(3)).isEqualTo(1_000_000_000);
        assertThat(new ConstantSchedule(3).ratePerSecond(0, 5)).isEqualTo(3);
    }

    @Test
    void shouldFindTheFirstMessageThatIsDueFromATime()
    {
        final Schedule schedule = new ConstantSchedule(1_000);
        assertThat(schedule.firstDueFrom(0, 10)).isZero();
        assertThat(schedule.firstDueFrom(1, 10)).isEqualTo(1);
        assertThat(schedule.firstDueFrom(9_000_000, 10)).isEqualTo(9);
        assertThat(schedule.firstDueFrom(9_000_001, 10)).isEqualTo(10);
        assertThat(schedule.firstDueFrom(0, 0)).isZero();
        assertThat(Schedule.first(Long.MAX_VALUE, (index) -> index >= Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void shouldDrawFromAboveZeroToOne()
    {
        // The index and the seed that the mixing function maps to 0, and the last number below 2^64.
        final long gamma = 0x9E3779B97F4A7C15L;
        assertThat(Draw.uniform(-gamma, 0)).isEqualTo(0x1.0p-53);
        assertThat(Draw.below(-gamma, 0, 1_000)).isZero();
        assertThat(Draw.even(-gamma, 0)).isEqualTo(0x1.0p-53);
        assertThat(Draw.even(-1 - gamma, 0)).isEqualTo(1);
        assertThat(Draw.series(1, 1)).isNotEqualTo(Draw.series(1, 2)).isNotEqualTo(Draw.series(2, 1));
    }
}
