package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.reporting.confidence.TailShare;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.ClientShare;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.agrona.DirectBuffer;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * An echo whose replies arrive at known times must yield the receive lateness and the client's part that follow by hand, within
 * the resolution of the histogram and one step of the clock.
 */
class ReceiveLatenessTest
{
    private static final long STEP_NS = 1_000;
    private static final long RATE = 10_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long DELAY_NS = SECOND_NS / 5;
    private static final long COUNT = 4 * RATE;
    private static final LoadPlan PLAN =
        new LoadPlan(RATE, 288, RATE / 2, COUNT, 1, 2 * SECOND_NS, 10 * SECOND_NS, 1 << 16, Delivery.AT_MOST_ONCE);

    private final ManualRun run = new ManualRun();

    @Test
    void shouldChargeAStallOfTheAgentToReceiveLatenessOfRepliesThatArrivedInIt()
    {
        final long stallBeginNs = SECOND_NS;
        final long stallNs = SECOND_NS / 2;
        final LoadOutcome outcome = executeWithStall(stallBeginNs, stallNs, new Echo(DELAY_NS, () -> false));

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        final long[] lateness = new long[(int)COUNT];
        final long[] sendDelays = new long[(int)COUNT];
        final long[] services = new long[(int)COUNT];
        for (int i = 0; i < COUNT; i++)
        {
            final long intendedNs = (RATE / 2 + i) * (SECOND_NS / RATE);
            final long stallEndNs = stallBeginNs + stallNs;
            final long sendNs = isWithin(intendedNs, stallBeginNs, stallEndNs) ? stallEndNs : intendedNs;
            final long arrivalNs = sendNs + DELAY_NS;
            lateness[i] = isWithin(arrivalNs, stallBeginNs, stallEndNs) ? stallEndNs - arrivalNs : 0;
            sendDelays[i] = sendNs - intendedNs;
            services[i] = DELAY_NS + lateness[i];
        }
        assertPercentiles(run.receiveLateness, lateness);
        assertPercentiles(run.sendDelays, sendDelays);
        assertPercentiles(run.serviceTimes, services);
        // The time until the arrival is that of the echo, whatever the agent did.
        for (final HistogramIterationValue value : run.clientParts.recordedValues())
        {
            final long timeNs = run.clientParts.medianEquivalentValue(value.getValueIteratedTo());
            final double partNs =
                (double)value.getCountAtValueIteratedTo() / run.responseTimes.getCountAtValue(value.getValueIteratedTo());
            assertThat(timeNs - (long)partNs).as("at %d ns", timeNs).isCloseTo(DELAY_NS, resolution(timeNs));
        }
    }

    @Test
    void shouldStateTheShareOfTheClientInTheSlowestMessages()
    {
        executeWithStall(SECOND_NS, SECOND_NS / 2, new Echo(DELAY_NS, () -> false));

        // 20 messages in each ms take up to 700 ms: 10 that were due and 10 that arrived early in the stall. So 400 of the 40,000
        // take more than 680 ms.
        final double p99Ns = run.responseTimes.getValueAtPercentile(99);
        assertThat(p99Ns).isCloseTo(680e6, Offset.offset(1e6));
        assertThat(share()).isCloseTo(1 - DELAY_NS / 690e6, Offset.offset(0.002)).isGreaterThan(ClientShare.LIMIT);
    }

    @Test
    void shouldChargeNothingToAClientThatIsInTime()
    {
        run.execute(PLAN, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, new Echo(DELAY_NS, () -> false));

        assertThat(run.receiveLateness.getTotalCount()).isEqualTo(COUNT);
        assertThat(run.receiveLateness.getMaxValue()).isLessThanOrEqualTo(STEP_NS);
        assertThat(share()).isLessThan(0.002);
    }

    @Test
    void shouldChargeBackPressureToTheSystemUntilTheClientHasCaughtUp()
    {
        final long closedNs = SECOND_NS / 10;
        final Echo echo = new Echo(
            STEP_NS, () -> isWithin(run.nanoTime() - ManualRun.START_NS, SECOND_NS, SECOND_NS + closedNs));
        final LoadOutcome outcome = run.execute(PLAN, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, echo);

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(run.sendDelays.getMaxValue()).isCloseTo(closedNs, resolution(closedNs));
        assertThat(run.responseTimes.getCountBetweenValues(10 * STEP_NS, SECOND_NS)).as("waited").isBetween(990L, 1_000L);
        assertThat(share()).as("of every message that waited, not only the first").isLessThan(0.01);
    }

    @Test
    void shouldKeepAnUnknownArrivalUnknown()
    {
        executeWithStall(SECOND_NS, SECOND_NS / 2, new Echo(DELAY_NS, () -> false)
        {
            @Override
            public int poll(final ResponseHandler handler, final int limit)
            {
                return super.poll(
                    (buffer, offset, length, timeNs) -> handler.onResponse(buffer, offset, length, timeNs), limit);
            }
        });

        assertThat(run.receiveLateness.getTotalCount()).isZero();
        // Without the arrivals, what waited for the agent counts as the system's: the share is a lower bound.
        assertThat((double)run.clientParts.getTotalCount()).isCloseTo(
            run.sendDelays.getMean() * run.sendDelays.getTotalCount(), Offset.offset(1e-3 * COUNT * SECOND_NS));
    }

    @Test
    void shouldNotSeparateAnEchoWithinTheClientFromIt()
    {
        run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, new MemoryTransport(run, 288, DELAY_NS, 0, 0, 1));

        assertThat(run.receiveLateness.getTotalCount()).isEqualTo(COUNT);
        assertThat(run.clientParts.getTotalCount()).isZero();
    }

    @Test
    void shouldNotTakeAnArrivalThatAnotherClockStamped()
    {
        // Taken before it arrived, arrived before its message was sent, and arrived just then.
        final long[] latenessNs = { -1, DELAY_NS + 1, DELAY_NS };
        final int[] count = new int[1];
        final Echo echo = new Echo(DELAY_NS, () -> false)
        {
            @Override
            public int poll(final ResponseHandler handler, final int limit)
            {
                return super.poll(
                    (buffer, offset, length, timeNs) ->
                        handler.onResponse(buffer, offset, length, timeNs, timeNs - latenessNs[count[0]++]), limit);
            }
        };
        final LoadPlan plan =
            new LoadPlan(RATE, 288, 0, 3, 1, 2 * SECOND_NS, 10 * SECOND_NS, 1 << 16, Delivery.AT_MOST_ONCE);
        // Each message is sent 200 ns after it was due.
        run.execute(plan, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> run.advance(0 == timeNs ? 200 : 0), echo);

        assertThat(run.receiveLateness.getTotalCount()).isEqualTo(1);
        assertThat(run.receiveLateness.getMaxValue()).isCloseTo(DELAY_NS, resolution(DELAY_NS));
        assertThat(run.clientParts.getTotalCount()).as("200 ns of each, and the lateness of one").isEqualTo(600 + DELAY_NS);
    }

    private LoadOutcome executeWithStall(final long beginNs, final long lengthNs, final Echo echo)
    {
        final boolean[] isStalled = new boolean[1];
        return run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS,
            (timeNs) ->
            {
                if (timeNs >= beginNs && !isStalled[0])
                {
                    isStalled[0] = true;
                    run.advance(lengthNs);
                }
            },
            echo);
    }

    private double share()
    {
        final TailShare tail = new TailShare(run.responseTimes);
        tail.add(run.responseTimes, run.clientParts);
        return tail.share();
    }

    private static boolean isWithin(final long timeNs, final long beginNs, final long endNs)
    {
        return timeNs >= beginNs && timeNs < endNs;
    }

    private static void assertPercentiles(final Histogram histogram, final long[] expected)
    {
        Arrays.sort(expected);
        assertThat(histogram.getTotalCount()).isEqualTo(expected.length);
        for (final double percent : new double[]{ 50, 80, 90, 95, 97, 99, 99.5, 99.9, 99.99, 100 })
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

    /** A system of its own, which may refuse messages for a time. */
    private class Echo extends MemoryTransport
    {
        private final BooleanSupplier isRefusing;

        Echo(final long delayNs, final BooleanSupplier isRefusing)
        {
            super(run, 288, delayNs, 0, 0, 1);
            this.isRefusing = isRefusing;
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            return isRefusing.getAsBoolean() ? SendResult.BACK_PRESSURED : super.trySend(message, offset, length);
        }

        @Override
        public boolean isWithinClient()
        {
            return false;
        }
    }
}
