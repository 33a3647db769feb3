package io.clusterecho.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

import com.sun.management.ThreadMXBean;

import io.clusterecho.reporting.results.OverloadPulse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateProfileTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int COUNT = 300_000;

    /** A rate in messages per second, written down again apart from the code under test. */
    private static double ratePerSecond(final String text, final double s)
    {
        return switch (text)
        {
            case "steps:10k*5s,0*2s,50k*1s,333*1s" -> s < 5 ? 10_000 : s < 7 ? 0 : s < 8 ? 50_000 : 333;
            case "ramp:1k..50k/7s" -> s < 7 ? 1_000 + 49_000 * s / 7 : 50_000;
            case "ramp:50k..10/7s" -> s < 7 ? 50_000 - 49_990 * s / 7 : 10;
            case "sine:2k..20k/3s" -> 11_000 - 9_000 * Math.cos(2 * Math.PI * s / 3);
            case "sine:1..40k/3s" -> 20_000.5 - 19_999.5 * Math.cos(2 * Math.PI * s / 3);
            case "on-off:20k*1s/500ms" -> s % 1.5 < 1 ? 20_000 : 0;
            case "on-off:999*10ms/7ms" -> s % 0.017 < 0.01 ? 999 : 0;
            case "10k" -> 10_000;
            default -> throw new IllegalArgumentException(text);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "10k", "steps:10k*5s,0*2s,50k*1s,333*1s", "ramp:1k..50k/7s", "ramp:50k..10/7s", "sine:2k..20k/3s", "sine:1..40k/3s",
        "on-off:20k*1s/500ms", "on-off:999*10ms/7ms" })
    void shouldHaveAsManyMessagesDueInAnyTimeAsTheIntegralOfTheRate(final String text)
    {
        final Schedule schedule = new ProfiledSchedule(RateProfile.parse(text), 0, null);
        final RateProfile profile = RateProfile.parse(text);
        final long stepNs = 10_000;
        long due = 0;
        double integral = 0;
        for (long timeNs = 0; timeNs < 9 * SECOND_NS; timeNs += stepNs)
        {
            while (schedule.timeNs(due) < timeNs)
            {
                due++;
            }
            if (Math.abs(due - integral) > 1.01)
            {
                assertThat((double)due).as("%s before %d ns", text, timeNs).isCloseTo(integral, within(1.0));
            }
            if (0 == timeNs % SECOND_NS)
            {
                assertThat(profile.count(timeNs)).as("%s before %d ns", text, timeNs).isCloseTo(integral, within(0.5));
            }
            integral += stepNs / 1e9 * simpson((s) -> ratePerSecond(text, s), timeNs / 1e9, stepNs / 1e9);
        }
        assertThat(due).isGreaterThan(1_000);
    }

    @Test
    void shouldNameTheCommandThatDrawsSeveralRates()
    {
        assertThatThrownBy(() -> RateProfile.parse("1k,2k")).hasMessageEndingWith("--set size=288 --set rate=1k,2k");
    }

    private static double simpson(final DoubleUnaryOperator rate, final double s, final double lengthS)
    {
        // Just inside, so that a step at the end belongs to the next slice.
        final double inside = lengthS * 1e-6;
        return (rate.applyAsDouble(s + inside) + 4 * rate.applyAsDouble(s + lengthS / 2) +
            rate.applyAsDouble(s + lengthS - inside)) / 6;
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "steps:10k*5s,0*2s,50k*1s,333*1s", "ramp:1k..50k/7s", "ramp:50k..10/7s", "sine:2k..20k/3s", "sine:1..40k/3s",
        "on-off:20k*1s/500ms", "on-off:999*10ms/7ms", "sine:1..1000M/1s" })
    void shouldGiveTheSameTimeInAnyOrderAndNeverAnEarlierOneForALaterMessage(final String text)
    {
        final Schedule inOrder = new ProfiledSchedule(RateProfile.parse(text), 1_000, null);
        final long[] timesNs = new long[COUNT];
        for (int i = 0; i < COUNT; i++)
        {
            timesNs[i] = inOrder.timeNs(i);
            assertThat(timesNs[i]).as("message %d", i).isGreaterThanOrEqualTo(i > 0 ? timesNs[i - 1] : 0);
        }
        final Schedule anyOrder = new ProfiledSchedule(RateProfile.parse(text), 1_000, null);
        final Random random = new Random(1);
        for (int i = 0; i < COUNT; i++)
        {
            final int index = random.nextInt(COUNT);
            assertThat(anyOrder.timeNs(index)).isEqualTo(timesNs[index]);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // Messages of a period, and its length in ms.
        "sine:2k..20k/10s, 110000, 10000", "on-off:20k*1s/500ms, 20000, 1500", "on-off:1M*1ms/2ms, 1000, 3",
        "sine:10k..1M/7s, 3535000, 7000" })
    void shouldNotDriftInABillionMessages(final String text, final long periodCount, final long periodMs)
    {
        final Schedule schedule = new ProfiledSchedule(RateProfile.parse(text), 0, null);
        final long periods = SECOND_NS / periodCount;
        assertThat(schedule.timeNs(periods * periodCount)).isCloseTo(periods * periodMs * 1_000_000, within(1L));
        assertThat(schedule.timeNs((periods + 1) * periodCount)).isCloseTo((periods + 1) * periodMs * 1_000_000, within(1L));
        assertThat(schedule.timeNs(periods * periodCount + periodCount / 2) - periods * periodMs * 1_000_000)
            .isCloseTo(schedule.timeNs(periodCount / 2), within(2L));
    }

    @Test
    void shouldHoldTheLastRateOfStepsAndRampsForABillionMessages()
    {
        assertThat(new ProfiledSchedule(RateProfile.parse("steps:10k*5s,50k*5s"), 0, null).timeNs(SECOND_NS))
            .isEqualTo(5 * SECOND_NS + (SECOND_NS - 50_000) * 20_000);
        assertThat(new ProfiledSchedule(RateProfile.parse("ramp:1k..50k/30s"), 0, null).timeNs(SECOND_NS))
            .isEqualTo(30 * SECOND_NS + (SECOND_NS - 765_000) * 20_000);
    }

    @Test
    void shouldWarmUpAtTheFirstRateAndBeginTheProfileThen()
    {
        final Schedule schedule = new ProfiledSchedule(RateProfile.parse("steps:10k*5s,50k*5s"), 20_000, null);
        assertThat(schedule.timeNs(10_000)).isEqualTo(SECOND_NS);
        assertThat(schedule.timeNs(20_000)).isEqualTo(2 * SECOND_NS);
        assertThat(schedule.timeNs(70_000)).isEqualTo(7 * SECOND_NS);
        assertThat(schedule.timeNs(70_001)).isEqualTo(7 * SECOND_NS + 20_000);
        assertThat(schedule.ratePerSecond(SECOND_NS, 2 * SECOND_NS)).isEqualTo(10_000);
        assertThat(schedule.ratePerSecond(6 * SECOND_NS, 8 * SECOND_NS)).isEqualTo(30_000);
        assertThat(schedule.ratePerSecond(8 * SECOND_NS, 60 * SECOND_NS)).isEqualTo(50_000);
        assertThat(schedule.ratePerSecond(SECOND_NS, SECOND_NS)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "10k, 100000", "steps:10k*5s,0*2s,50k*1s,333*1s; 101000", "ramp:1k..50k/7s; 328500", "sine:2k..20k/5s; 110000",
        "on-off:20k*1s/500ms; 140000", "on-off:10k*1s/1s; 50000" })
    void shouldScheduleTheWholeMessagesOfAWindow(final String all)
    {
        final String[] parts = all.contains(";") ? all.split("; ") : new String[]{ "10k", "100000" };
        assertThat(RateProfile.parse(parts[0]).messageCount(10 * SECOND_NS)).isBetween(
            Long.parseLong(parts[1]), Long.parseLong(parts[1]) + (parts[0].contains("333") ? 666 : 0));
    }

    @Test
    void shouldKnowThePulseOfAnOverloadTestAlone()
    {
        final RateProfile profile =
            RateProfile.pulse(10_000, 50_000, 5 * SECOND_NS, 2 * SECOND_NS, 20 * SECOND_NS, 0.5);
        assertThat(profile).hasToString("steps:10000*5s,50000*2s,10000*20s");
        assertThat(profile.pulse(SECOND_NS, 28 * SECOND_NS, 3)).isEqualTo(
            new OverloadPulse(10_000, 50_000, 6 * SECOND_NS, 8 * SECOND_NS, 28 * SECOND_NS, 3, 0.5));
        for (final String text : new String[]{ "10k", "steps:10k*5s,50k*2s,10k*20s", "ramp:1k..2k/1s" })
        {
            assertThat(RateProfile.parse(text).pulse(0, SECOND_NS, 0)).isNull();
        }
    }

    @Test
    void shouldScheduleEveryMessageThatIsDueBeforeTheEndOfAWindow()
    {
        final RateProfile profile = RateProfile.parse("ramp:1k..7777/3s");
        for (final long windowNs : new long[]{ 1, 999_999, 1_000_000, 123_456_789, 2_999_999_999L, 5 * SECOND_NS })
        {
            final long count = profile.messageCount(windowNs);
            assertThat(profile.timeNs(count - 1)).isLessThan(windowNs);
            assertThat(profile.timeNs(count)).isGreaterThanOrEqualTo(windowNs);
        }
    }

    @Test
    void shouldDrawPoissonArrivalsAtTheRateOfTheMoment()
    {
        final int count = 420_000;
        final Schedule schedule = new ProfiledSchedule(
            RateProfile.parse("steps:10k*10s,30k*10s"), 0, new PoissonSchedule(1, count, 3));
        int first = 0;
        while (schedule.timeNs(first) < 10 * SECOND_NS)
        {
            first++;
        }
        int both = first;
        double squares = 0;
        while (schedule.timeNs(both + 1) < 20 * SECOND_NS)
        {
            squares += Math.pow(schedule.timeNs(both + 1) - schedule.timeNs(both), 2);
            both++;
        }
        // Within five standard deviations of a Poisson count.
        assertThat((double)first).isCloseTo(100_000, within(5 * Math.sqrt(100_000)));
        assertThat((double)both - first).isCloseTo(300_000, within(5 * Math.sqrt(300_000)));
        // The mean square of exponential distances is twice the square of their mean.
        final double meanNs = 1e9 / 30_000;
        assertThat(squares / (both - first) / (2 * meanNs * meanNs)).isCloseTo(1, within(0.03));
        assertThat(schedule.timeNs(1_000)).isEqualTo(
            new ProfiledSchedule(RateProfile.parse("steps:10k*10s,30k*10s"), 0, new PoissonSchedule(1, count, 3)).timeNs(1_000));
    }

    @Test
    void shouldNotAllocate()
    {
        final Schedule[] schedules =
        {
            new ProfiledSchedule(RateProfile.parse("steps:10k*5s,0*2s,50k*1s,333*1s"), 10, null),
            new ProfiledSchedule(RateProfile.parse("sine:2k..20k/10s"), 10, null),
            new ProfiledSchedule(RateProfile.parse("ramp:1k..50k/7s"), 10, new PoissonSchedule(1, COUNT, 1))
        };
        long sum = sum(schedules);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        final long before = threads.getThreadAllocatedBytes(threadId);
        sum += sum(schedules);
        assertThat(threads.getThreadAllocatedBytes(threadId) - before).isLessThan(2_000);
        assertThat(sum).isPositive();
    }

    private static long sum(final Schedule[] schedules)
    {
        long sum = 0;
        for (final Schedule schedule : schedules)
        {
            for (int i = 0; i < COUNT; i++)
            {
                sum += schedule.timeNs(i);
            }
        }

        return sum;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "saw:1k..2k/1s|steps:, ramp:, sine: or on-off:",
        ":1k|steps:, ramp:, sine: or on-off:",
        ",2k|--set rate=,2k",
        "sine:2k..2k/1s|the lower one first",
        "ramp:/1s|ramp:FROM..TO/TIME",
        "steps:10k|2 to 1000 steps",
        "steps:10k*5s|2 to 1000 steps",
        "steps:0*5s,10k*5s|neither first nor last",
        "steps:10k*5s,0*5s|neither first nor last",
        "steps:10k*5s,10k*0s|times above 0",
        "steps:10k*5s,,10k*1s|2 to 1000 steps",
        "ramp:1k..50k|ramp:FROM..TO/TIME",
        "ramp:1k..1k/3s|two different rates",
        "ramp:0..1k/3s|rates from 1",
        "sine:20k..2k/10s|the lower one first",
        "sine:2k..20k/0s|a period above 0",
        "sine:2k..20k|sine:LOW..HIGH/PERIOD",
        "on-off:20k*1s|on-off:RATE*ON/OFF",
        "on-off:20k*0s/1s|times above 0",
        "on-off:20k*2401h/1s|times above 0",
        "on-off:0*1s/1s|a rate from 1" })
    void shouldSayWhatAShapeLooksLike(final String text, final String allowed)
    {
        assertThatThrownBy(() -> RateProfile.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "10000", "steps:10k*5s,0*2s,50k*1s", "ramp:1k..50k/7s", "sine:2k..20k/3s", "on-off:20k*1s/500ms" })
    void shouldBeItsText(final String text)
    {
        assertThat(RateProfile.parse(text)).hasToString(text);
    }

    @Test
    void shouldAllowTheLongestProfilesAndRefuseLongerOnes()
    {
        for (final String text : new String[]{
            "steps:" + "1*1s,".repeat(999) + "1*1s", "steps:1*1200h,2*1200h", "on-off:1*2400h/1s", "ramp:1..2/2400h", "1000M",
            "1" })
        {
            assertThat(RateProfile.parse(text).firstRatePerSecond()).as(text).isPositive();
        }
        for (final String text : new String[]{
            "steps:" + "1*1s,".repeat(1000) + "1*1s", "steps:1*1200h,2*1201h", "ramp:1..2/2401h", "sine:2k..20k/1500us",
            "ramp:1..2..3/1s", "1001M" })
        {
            assertThatThrownBy(() -> RateProfile.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(RateProfile.constant(1_000_000_000).isConstant()).isTrue();
        assertThatThrownBy(() -> RateProfile.constant(0)).hasMessageContaining("ratePerSecond=0");
        assertThatThrownBy(() -> RateProfile.constant(1_000_000_001)).hasMessageContaining("allowed 1 to 1000000000");
    }

    @Test
    void shouldCountTheNearestNumberOfMessagesOfAConstantRate()
    {
        assertThat(RateProfile.constant(7).messageCount(2_100_000_000L)).isEqualTo(15);
        assertThat(RateProfile.constant(1).messageCount(1_499_999_999)).isEqualTo(1);
        final long longNs = 8_640_000 * SECOND_NS + 7;
        assertThat(RateProfile.constant(1_000_000_000).messageCount(longNs)).isEqualTo(longNs);
    }

    @Test
    void shouldWriteALengthOfAPulseInTheLargestWholeUnit()
    {
        assertThat(RateProfile.pulse(1, 2, 1_500_000_000, 1_000_001, SECOND_NS, 0.5))
            .hasToString("steps:1*1500ms,2*1000001ns,1*1s");
    }

    @Test
    void shouldKnowWhenMessagesAreDueOnAverageAndTheirFirstDistance()
    {
        final Schedule drawn =
            new ProfiledSchedule(RateProfile.parse("steps:10k*5s,50k*5s"), 20_000, new PoissonSchedule(1, 10, 1));
        assertThat(drawn.meanTimeNs(10_000)).isEqualTo(SECOND_NS);
        assertThat(drawn.meanTimeNs(70_001)).isEqualTo(7 * SECOND_NS + 20_000);
        assertThat(drawn.distanceNs()).isEqualTo(100_000);
        assertThatThrownBy(() -> new ProfiledSchedule(RateProfile.constant(1), -1, null)).hasMessageContaining("warmUpCount=-1");
    }
}
