package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.schema.EchoMessage;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;

class ClosedLoopTest
{
    private static final int LENGTH = 64;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long DELAY_NS = 2_000_000;

    @Test
    void shouldMeasureEachRoundTripAtTheRateThatFollowsFromTheMessagesInFlight()
    {
        final ClosedLoopResult result = run(10, 20, 400, 2, memory(), memory());
        assertThat(Verdict.of(result, List.of()).isGood()).as("%s", result).isTrue();
        assertThat(Verdict.of(result, List.of()).warnings()).isEmpty();
        assertThat(result.mostInFlight()).isEqualTo(10);
        assertThat(result.count()).isEqualTo(400);
        assertThat(result.roundTrips().getTotalCount()).isEqualTo(400);
        assertThat(result.roundTrips().getMinValue()).isGreaterThanOrEqualTo(DELAY_NS * 999 / 1000);
        // Little's law: messages in flight = rate x time.
        assertThat(result.ratePerSecond() * result.roundTrips().getMean() / 1e9).isCloseTo(10, within(1.0));
    }

    @Test
    void shouldCountRepliesThatAreIncomplete()
    {
        final ClosedLoopResult result = run(1, 0, 10, 1, new Wrapped(memory(), 3, false));
        assertThat(result.damaged()).isEqualTo(1);
        assertThat(Verdict.of(result, List.of()).reasons()).contains("1 corrupt replies");
        assertThat(Verdict.of(result, List.of()).isGood()).isFalse();
        assertThat(result.failure()).contains("1 messages in flight");
    }

    @Test
    void shouldCountTheMessagesInFlightWhenASessionWasLost()
    {
        final ClosedLoopResult result = run(4, 0, 10, 1, new Wrapped(memory(), 2, true));
        assertThat(result.lost()).isPositive();
        assertThat(result.lost() + result.count()).isEqualTo(10);
        assertThat(Verdict.of(result, List.of()).isGood()).isFalse();
        assertThat(result.failure()).isNull();
    }

    @Test
    void shouldCountTheAgeOfAMessageThatWasLostWithItsSession()
    {
        final ClosedLoopResult result = run(4, 0, 10, 1, new Wrapped(memory(), 2, true));
        assertThat(result.roundTrips().getTotalCount()).as("%s", result).isEqualTo(result.count() + result.lost());
    }

    @Test
    void shouldKeepWhatItMeasuredWhenItsTransportFails()
    {
        final ClosedLoopResult result = run(1, 0, 10, 1, new Filtered(memory())
        {
            private int count;

            @Override
            public SendResult trySend(final DirectBuffer message, final int offset, final int length)
            {
                if (++count > 4)
                {
                    throw new IllegalStateException("the Aeron client has ended");
                }
                return super.trySend(message, offset, length);
            }

            @Override
            public int poll(final ResponseHandler handler, final int limit)
            {
                return transport.poll(handler, limit);
            }
        });
        assertThat(result.count()).isEqualTo(4);
        assertThat(result.failure()).startsWith("the loop ended early: ").contains("the Aeron client has ended");
        assertThat(Verdict.of(result, List.of()).label()).isEqualTo("FAILED");
    }

    @Test
    void shouldBePartialAndNotFailedWhenItIsAskedToEnd()
    {
        final MemoryTransport transport = memory();
        transport.connect(SECOND_NS);
        final ClosedLoop loop = new ClosedLoop(
            new Transport[]{ transport }, LENGTH, 1, null, 0, Long.MAX_VALUE, 1, 60 * SECOND_NS, Long.MAX_VALUE);
        loop.requestEnd();

        final ClosedLoopResult result = loop.run(YieldingIdleStrategy.INSTANCE);

        assertThat(result.isPartial()).isTrue();
        assertThat(result.failure()).isNull();
        assertThat(Verdict.of(result, List.of()).label()).isEqualTo("PARTIAL");
        assertThat(Verdict.of(result, List.of("no room")).label()).isEqualTo("FAILED");
    }

    @Test
    void shouldAwaitWhatIsInFlightAtTheTimeLimit()
    {
        // The 11th reply takes longer than the limit.
        final ClosedLoopResult result = limited(new Stalling(memory(), 10, 400_000_000L));

        assertThat(Verdict.of(result, List.of()).isGood()).as("%s", result).isTrue();
        assertThat(result.count()).isEqualTo(11);
        assertThat(result.inFlight()).isZero();
        assertThat(result.roundTrips().getMaxValue()).isGreaterThanOrEqualTo(399_000_000L);
        assertThat(result.durationNs()).isGreaterThanOrEqualTo(400_000_000L);
    }

    @Test
    void shouldFailIfWhatIsInFlightAtTheTimeLimitIsNotAnswered()
    {
        final ClosedLoopResult result = limited(new Stalling(memory(), 10, Long.MAX_VALUE));

        assertThat(Verdict.of(result, List.of()).label()).isEqualTo("FAILED");
        assertThat(result.failure()).contains("no reply for").contains("1 messages in flight");
        assertThat(result.count()).isEqualTo(10);
        assertThat(result.roundTrips().getTotalCount()).as("with the age of the last").isEqualTo(11);
        assertThat(result.roundTrips().getMaxValue()).isGreaterThanOrEqualTo(SECOND_NS / 2);
        assertThat(result.ratePerSecond()).as("the time without replies counts").isLessThan(10 / 0.2);
    }

    @Test
    void shouldMeasureAfterAWarmUpThatEndsByItself()
    {
        final AtomicLong compilersNs = new AtomicLong();
        // Each look at the compilers shows a second of work, so the state is never steady.
        final LoopWarmUp warmUp = new LoopWarmUp(
            new WarmUpTime(true, 0, 2 * SECOND_NS), () -> compilersNs.addAndGet(SECOND_NS));

        final ClosedLoopResult result = loop(1, warmUp, 0, 100, 1, memory()).run(new SleepingIdleStrategy());

        assertThat(result.failure()).isNull();
        assertThat(result.count()).isEqualTo(100);
        assertThat(result.durationNs()).isLessThan(warmUp.end().lengthNs());
        assertThat(warmUp.end().endedBy()).isEqualTo(WarmUpEnd.Cause.bound);
    }

    private static ClosedLoopResult run(
        final int concurrency, final long warmUpCount, final long count, final int seconds, final Transport... transports)
    {
        return loop(concurrency, null, warmUpCount, count, seconds, transports).run(YieldingIdleStrategy.INSTANCE);
    }

    private static ClosedLoop loop(
        final int concurrency, final LoopWarmUp warmUp, final long warmUpCount, final long count, final int seconds,
        final Transport... transports)
    {
        for (final Transport transport : transports)
        {
            transport.connect(SECOND_NS);
        }
        return new ClosedLoop(
            transports, LENGTH, concurrency, warmUp, warmUpCount, count, 1, null == warmUp ? SECOND_NS / 5 : SECOND_NS,
            60L * seconds * SECOND_NS);
    }

    /** One message in flight, sent for 200 ms at most. */
    private static ClosedLoopResult limited(final Transport transport)
    {
        transport.connect(SECOND_NS);
        return new ClosedLoop(
            new Transport[]{ transport }, LENGTH, 1, null, 0, Long.MAX_VALUE, 1, SECOND_NS / 2, SECOND_NS / 5)
            .run(YieldingIdleStrategy.INSTANCE);
    }

    @Test
    void shouldWarnOfATransportThatHoldsFewerMessages()
    {
        final ClosedLoopResult result = run(4, 0, 10, 1, new Filtered(memory())
        {
            private int inFlight;

            @Override
            public SendResult trySend(final DirectBuffer message, final int offset, final int length)
            {
                if (3 == inFlight)
                {
                    return SendResult.BACK_PRESSURED;
                }
                inFlight++;
                return super.trySend(message, offset, length);
            }

            @Override
            public int poll(final ResponseHandler handler, final int limit)
            {
                final int count = transport.poll(handler, limit);
                inFlight -= count;
                return count;
            }
        });
        assertThat(result.mostInFlight()).isEqualTo(3);
        assertThat(Verdict.of(result, List.of()).isGood()).isTrue();
        assertThat(Verdict.of(result, List.of()).warnings())
            .containsExactly("at most 3 messages were in flight at once, not 4: the system or its transport took no more");
    }

    private static MemoryTransport memory()
    {
        return new MemoryTransport(SystemNanoClock.INSTANCE, LENGTH, DELAY_NS, 0, 0, 1);
    }

    /** Passes everything to another transport but replies. */
    private abstract static class Filtered implements Transport
    {
        final Transport transport;

        Filtered(final Transport transport)
        {
            this.transport = transport;
        }

        @Override
        public void connect(final long timeoutNs)
        {
            transport.connect(timeoutNs);
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            return transport.trySend(message, offset, length);
        }

        @Override
        public void close()
        {
            transport.close();
        }
    }

    /** Holds back replies for a time after a number of them. */
    private static final class Stalling extends Filtered
    {
        private final int freeCount;
        private final long stallNs;
        private int count;
        private long sinceNs;

        Stalling(final Transport transport, final int freeCount, final long stallNs)
        {
            super(transport);
            this.freeCount = freeCount;
            this.stallNs = stallNs;
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            sinceNs = System.nanoTime();
            return super.trySend(message, offset, length);
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            if (count >= freeCount && System.nanoTime() - sinceNs < stallNs)
            {
                return 0;
            }
            final int polled = transport.poll((buffer, offset, length, receiveTimeNs) ->
                handler.onResponse(buffer, offset, length, System.nanoTime()), 1);
            count += polled;
            return polled;
        }
    }

    /** Damages the n-th reply, or drops it and reports a new session. */
    private static final class Wrapped extends Filtered
    {
        private final int number;
        private final boolean isLoss;
        private int count;
        private long nextSequence;
        private long firstKept;

        Wrapped(final Transport transport, final int number, final boolean isLoss)
        {
            super(transport);
            this.number = number;
            this.isLoss = isLoss;
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            nextSequence = EchoMessage.sequence(message, offset) + 1;
            return super.trySend(message, offset, length);
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            return transport.poll((buffer, offset, length, receiveTimeNs) ->
            {
                if (++count != number)
                {
                    if (EchoMessage.sequence(buffer, offset) >= firstKept)
                    {
                        handler.onResponse(buffer, offset, length, receiveTimeNs);
                    }
                }
                else if (isLoss)
                {
                    // Messages in flight are not answered any more.
                    firstKept = nextSequence;
                    handler.onReconnected();
                }
                else
                {
                    final UnsafeBuffer damaged = new UnsafeBuffer(new byte[length]);
                    damaged.putBytes(0, buffer, offset, length);
                    damaged.putByte(length - 1, (byte)(damaged.getByte(length - 1) ^ 1));
                    handler.onResponse(damaged, 0, length, receiveTimeNs);
                }
            }, limit);
        }
    }
}
