package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;

import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Tests the load client: with a transport of known delay and known stalls, the reported percentiles must be those computed by
 * hand, within the resolution of the histogram and one step of the clock.
 */
class CalibrationTest
{
    private static final long STEP_NS = 1_000;
    private static final long DELAY_NS = 150_000;
    private static final long RATE = 10_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final LoadPlan PLAN =
        new LoadPlan(RATE, 288, RATE / 2, 4 * RATE, 1, 2 * SECOND_NS, 10 * SECOND_NS, 1 << 16, Delivery.AT_MOST_ONCE);

    private final ManualRun run = new ManualRun();

    @Test
    void shouldReportAKnownDelay()
    {
        final LoadOutcome outcome = run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, new MemoryTransport(run, 288, DELAY_NS, 0, 0, 1));

        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(4 * RATE);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(4 * RATE);
        assertThat(outcome.lost()).isZero();
        assertThat(outcome.ratePerSecondAchieved()).isCloseTo(RATE, within(0.01 * RATE));
        for (final double percent : new double[]{ 0, 50, 99, 99.99, 100 })
        {
            assertThat(run.responseTimes.getValueAtPercentile(percent)).isCloseTo(DELAY_NS, resolution(DELAY_NS));
            assertThat(run.serviceTimes.getValueAtPercentile(percent)).isCloseTo(DELAY_NS, resolution(DELAY_NS));
            assertThat(run.sendDelays.getValueAtPercentile(percent)).isLessThanOrEqualTo(STEP_NS);
        }
    }

    @Test
    void shouldChargeAStallOfTheEchoToEveryMessageThatWaited()
    {
        final long stallNs = SECOND_NS;
        final LoadOutcome outcome = run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { },
            new MemoryTransport(run, 288, DELAY_NS, SECOND_NS, stallNs, 1));

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(4 * RATE);
        final long[] expected = expectedNs(DELAY_NS, SECOND_NS, stallNs);
        assertThat(expected[expected.length - 1]).isGreaterThan(stallNs);
        assertPercentiles(run.responseTimes, expected);
        assertPercentiles(run.serviceTimes, expected);
        assertThat(run.sendDelays.getMaxValue()).isLessThanOrEqualTo(STEP_NS);
    }

    @Test
    void shouldChargeAStallOfItsOwnToTheResponseTimeAndNotToTheServiceTime()
    {
        final long stallNs = SECOND_NS;
        final boolean[] isStalled = new boolean[1];
        final LoadOutcome outcome = run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS,
            (timeNs) ->
            {
                // When no message is in flight: 50 us after a message was due that was answered after 40 us.
                if (timeNs >= SECOND_NS + 50_000 && !isStalled[0])
                {
                    isStalled[0] = true;
                    run.advance(stallNs);
                }
            },
            new MemoryTransport(run, 288, 40_000, 0, 0, 1));

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(4 * RATE);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(4 * RATE);
        final long[] delays = expectedNs(0, SECOND_NS + 50_000, stallNs);
        assertPercentiles(run.sendDelays, delays);
        for (int i = 0; i < delays.length; i++)
        {
            delays[i] += 40_000;
        }
        assertPercentiles(run.responseTimes, delays);
        assertThat(run.serviceTimes.getMaxValue()).isCloseTo(40_000, resolution(40_000));
    }

    /** Expected times of each measured message if nothing is answered (or sent) during a stall. */
    private static long[] expectedNs(final long delayNs, final long stallBeginNs, final long stallNs)
    {
        final long[] expected = new long[4 * (int)RATE];
        for (int i = 0; i < expected.length; i++)
        {
            final long intendedNs = (RATE / 2 + i) * (SECOND_NS / RATE);
            final boolean isStalled = intendedNs + delayNs >= stallBeginNs && intendedNs + delayNs < stallBeginNs + stallNs;
            expected[i] = isStalled ? stallBeginNs + stallNs - intendedNs : delayNs;
        }
        Arrays.sort(expected);
        return expected;
    }

    private static void assertPercentiles(final Histogram histogram, final long[] expected)
    {
        assertThat(histogram.getTotalCount()).isEqualTo(expected.length);
        for (final double percent : new double[]{ 10, 50, 70, 75, 80, 90, 95, 99, 99.9, 99.99, 100 })
        {
            final long expectedNs = expected[(int)Math.ceil(percent / 100 * expected.length) - 1];
            assertThat(histogram.getValueAtPercentile(percent)).as("p" + percent)
                .isCloseTo(expectedNs, resolution(expectedNs));
        }
    }

    private static Offset<Long> resolution(final long valueNs)
    {
        return Offset.offset(valueNs / 1000 + 2 * STEP_NS);
    }
}
