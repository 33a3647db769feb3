package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import com.sun.management.ThreadMXBean;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoResponseDecoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class LoadFanOutTest
{
    private static final long RATE = 1_000;
    private static final long MS = 1_000_000;
    private static final long SECOND_NS = 1_000 * MS;
    private static final long STEP_NS = 10_000;
    /** From the send of a message to the copy for receiver 0, 1 and 2. */
    private static final long[] DELAYS_NS = { 2 * MS, 5 * MS, 3 * MS };
    private static final LoadPlan PLAN =
        new LoadPlan(RATE, 64, 100, 900, 2, SECOND_NS, 10 * SECOND_NS, 1024, Delivery.AT_MOST_ONCE);

    private final ManualRun run = new ManualRun();
    private final Copies[] receivers = { new Copies(), new Copies(), new Copies() };

    @Test
    void shouldAccountForEachCopyAndTimeItFromTheIntendedSendTime()
    {
        final FanOutOutcome fanOut = execute(PLAN);

        assertThat(fanOut.receivers()).hasSize(3)
            .containsOnly(new Receiver(900, 900, 0, 0, 0, 0, 0, 0));
        assertThat(fanOut.completed()).isEqualTo(900);
        assertThat(fanOut.foreign()).isZero();
        assertThat(fanOut.responseTimes().getTotalCount()).isEqualTo(2_700);
        assertThat(fanOut.lastResponseTimes().getTotalCount()).isEqualTo(900);
        // Histograms have three significant digits; the clock moves in steps.
        assertThat(fanOut.responseTimes().getMinValue()).isBetween(1_990_000L, 2_030_000L);
        assertThat(fanOut.responseTimes().getValueAtPercentile(50)).isBetween(2_990_000L, 3_030_000L);
        assertThat(fanOut.responseTimes().getMaxValue()).isBetween(4_990_000L, 5_030_000L);
        assertThat(fanOut.lastResponseTimes().getMinValue()).isBetween(4_990_000L, 5_030_000L);
        assertThat(fanOut.lastResponseTimes().getMaxValue()).isBetween(4_990_000L, 5_030_000L);
    }

    @Test
    void shouldCountWhatAReceiverMissesAndKeepItInTheDistributions()
    {
        // Sequence 200 of session 0 is message 400, of which receiver 1 has no copy.
        receivers[1].lost = 200;
        final FanOutOutcome fanOut = execute(PLAN);

        assertThat(fanOut.receivers()).containsExactly(
            new Receiver(900, 900, 0, 0, 0, 0, 0, 0), new Receiver(900, 898, 0, 2, 0, 0, 0, 0),
            new Receiver(900, 900, 0, 0, 0, 0, 0, 0));
        assertThat(fanOut.completed()).isEqualTo(898);
        assertThat(fanOut.responseTimes().getTotalCount()).isEqualTo(2_700);
        assertThat(fanOut.lastResponseTimes().getTotalCount()).isEqualTo(900);
        // Due at 400 ms; the run ends 1 s after its last message.
        assertThat(fanOut.lastResponseTimes().getMaxValue()).isBetween(1_590_000_000L, 1_610_000_000L);
        assertThat(fanOut.responseTimes().getMaxValue()).isEqualTo(fanOut.lastResponseTimes().getMaxValue());
    }

    @Test
    void shouldCountFurtherCopiesAsDuplicates()
    {
        receivers[2].repeated = 300;
        final FanOutOutcome fanOut = execute(PLAN);

        assertThat(fanOut.receivers().get(2)).isEqualTo(new Receiver(900, 900, 0, 0, 0, 2, 0, 0));
        assertThat(fanOut.responseTimes().getTotalCount()).isEqualTo(2_700);
        assertThat(fanOut.completed()).isEqualTo(900);
    }

    @Test
    void shouldNotTakeADamagedCopyForTheMessage()
    {
        receivers[0].damaged = 300;
        final FanOutOutcome fanOut = execute(PLAN);

        assertThat(fanOut.receivers().get(0)).isEqualTo(new Receiver(900, 898, 0, 2, 0, 0, 2, 0));
        assertThat(fanOut.completed()).isEqualTo(898);
    }

    @Test
    void shouldCountBytesThatAreNoMessageAsCorrupt()
    {
        receivers[1].queue(new byte[3], 0);
        receivers[1].queue(new byte[64], 0);
        final FanOutOutcome fanOut = execute(PLAN);

        assertThat(fanOut.receivers().get(1)).isEqualTo(new Receiver(900, 900, 0, 0, 0, 0, 2, 0));
        assertThat(fanOut.foreign()).isZero();
    }

    @Test
    void shouldLeaveOutCopiesOfMessagesOfOtherClients()
    {
        final UnsafeBuffer foreign = new UnsafeBuffer(new byte[64]);
        EchoMessage.encode(foreign, 0, 64, EchoResponseDecoder.TEMPLATE_ID, 77, 3, 3, new PayloadCheck());
        receivers[1].queue(foreign.byteArray(), 0);
        final FanOutOutcome fanOut = execute(PLAN);

        assertThat(fanOut.foreign()).isEqualTo(1);
        assertThat(fanOut.receivers()).containsOnly(new Receiver(900, 900, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void shouldCountCopiesBeyondTheLimitAsLate()
    {
        final FanOutOutcome fanOut = execute(
            new LoadPlan(RATE, 64, 100, 900, 2, SECOND_NS, 4 * MS, 1024, Delivery.AT_MOST_ONCE));

        assertThat(fanOut.receivers()).containsExactly(
            new Receiver(900, 900, 0, 0, 0, 0, 0, 0), new Receiver(900, 0, 900, 0, 0, 0, 0, 0),
            new Receiver(900, 900, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void shouldCountReconnectsAndMessagesThatWereNeverSent()
    {
        receivers[0].isReconnecting = true;
        run.receivers = receivers;
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        transport.sendResult = SendResult.BACK_PRESSURED;
        final LoadOutcome outcome = run.execute(
            new LoadPlan(RATE, 64, 0, 50, 1, SECOND_NS, SECOND_NS, 1024, Delivery.AT_MOST_ONCE), new ConstantSchedule(RATE),
            STEP_NS, (timeNs) -> { }, transport);
        final FanOutOutcome fanOut = run.agent.fanOutOutcome();

        assertThat(outcome.of(Counter.NEVER_SENT)).isEqualTo(50);
        assertThat(fanOut.receivers()).containsExactly(
            new Receiver(50, 0, 0, 0, 50, 0, 0, 1), new Receiver(50, 0, 0, 0, 50, 0, 0, 0),
            new Receiver(50, 0, 0, 0, 50, 0, 0, 0));
        assertThat(fanOut.responseTimes().getTotalCount()).isEqualTo(150);
        assertThat(fanOut.lastResponseTimes().getTotalCount()).isEqualTo(50);
    }

    @Test
    void shouldEndAsSoonAsAllCopiesAreThere()
    {
        execute(PLAN);

        // The last message is due at 999 ms; its last copy comes 5 ms later.
        assertThat(run.nanoTime() - ManualRun.START_NS).isBetween(1_003 * MS, 1_010 * MS);
    }

    @Test
    void shouldNotAllocate()
    {
        final LoadPlan plan = new LoadPlan(100_000_000, 64, 0, 4_000_000, 1, SECOND_NS, SECOND_NS, 1024, Delivery.AT_MOST_ONCE);
        final EchoAndCopies echo = new EchoAndCopies();
        final LoadAgent agent =
            new LoadAgent(plan, new ConstantSchedule(100_000_000), new Transport[]{ echo }, 1_000, System::nanoTime, null);
        agent.receivers(new Transport[]{ echo.copies, echo.copies });
        agent.begin(System.nanoTime());
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        long leastBytes = Long.MAX_VALUE;
        long answered = 0;
        for (int round = 0; round < 6; round++)
        {
            final long before = threads.getThreadAllocatedBytes(threadId);
            for (int i = 0; i < 20_000; i++)
            {
                agent.doWork();
            }
            leastBytes = round > 0 ? Math.min(leastBytes, threads.getThreadAllocatedBytes(threadId) - before) : leastBytes;
            answered = agent.answeredCount();
        }

        assertThat(answered).isGreaterThan(50_000);
        assertThat(leastBytes).isLessThan(4_096);
        agent.stop(System.nanoTime());
        assertThat(agent.fanOutOutcome().sum(Receiver::received) + agent.fanOutOutcome().sum(Receiver::late)).isPositive();
    }

    private FanOutOutcome execute(final LoadPlan plan)
    {
        run.receivers = receivers;
        final Transport[] senders = new Transport[plan.sessionCount()];
        for (int i = 0; i < senders.length; i++)
        {
            senders[i] = new ScriptedTransport(run, (self, sequence) ->
            {
                self.replies.add(self.reply());
                for (int j = 0; j < receivers.length; j++)
                {
                    receivers[j].onSent(sequence, self.reply(), run.nanoTime() + DELAYS_NS[j]);
                }
            });
        }
        final LoadOutcome outcome = run.execute(plan, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, senders);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        final FanOutOutcome fanOut = run.agent.fanOutOutcome();
        assertThat(fanOut.receivers()).allSatisfy((receiver) -> assertThat(receiver.accounted()).isEqualTo(900));
        return fanOut;
    }

    /** A receiver whose copies arrive when they are due. */
    private final class Copies implements Transport
    {
        private final Deque<byte[]> copies = new ArrayDeque<>();
        private final Deque<Long> timesNs = new ArrayDeque<>();
        private long lost = -1;
        private long repeated = -1;
        private long damaged = -1;
        private boolean isReconnecting;

        void onSent(final long sequence, final byte[] reply, final long timeNs)
        {
            final byte[] copy = reply.clone();
            if (sequence == damaged)
            {
                copy[63] ^= 1;
            }
            for (final boolean isSent : List.of(sequence != lost, sequence == repeated))
            {
                if (isSent)
                {
                    queue(copy, timeNs);
                }
            }
        }

        void queue(final byte[] copy, final long timeNs)
        {
            copies.add(copy);
            timesNs.add(timeNs);
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            if (isReconnecting)
            {
                isReconnecting = false;
                handler.onReconnected();
            }
            int count = 0;
            while (count < limit && !timesNs.isEmpty() && timesNs.peek() <= run.nanoTime())
            {
                timesNs.poll();
                final byte[] copy = copies.poll();
                handler.onResponse(new UnsafeBuffer(copy), 0, copy.length, run.nanoTime());
                count++;
            }

            return count;
        }

        @Override
        public void connect(final long timeoutNs)
        {
            // Always connected.
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            throw new AssertionError("a receiver sends nothing");
        }

        @Override
        public void close()
        {
            copies.clear();
        }
    }

    /** Answers the newest message, and has a receiver that gets a copy each time that it is polled. */
    private static final class EchoAndCopies implements Transport
    {
        private final UnsafeBuffer reply = new UnsafeBuffer(new byte[64]);
        private boolean isSent;
        private int pollsOfCopies;
        private final EchoAndCopies copies;

        EchoAndCopies()
        {
            copies = new EchoAndCopies(reply);
        }

        private EchoAndCopies(final UnsafeBuffer reply)
        {
            copies = null;
            this.reply.wrap(reply);
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            if (isSent)
            {
                return SendResult.BACK_PRESSURED;
            }
            reply.putBytes(0, message, offset, length);
            EchoMessage.templateId(reply, 0, EchoResponseDecoder.TEMPLATE_ID);
            isSent = true;
            copies.pollsOfCopies = 2;
            return SendResult.SENT;
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            if (!isSent && 0 == pollsOfCopies)
            {
                return 0;
            }
            isSent = false;
            pollsOfCopies = Math.max(0, pollsOfCopies - 1);
            handler.onResponse(reply, 0, 64, System.nanoTime());
            return 1;
        }

        @Override
        public void connect(final long timeoutNs)
        {
            // Always connected.
        }

        @Override
        public void close()
        {
            isSent = false;
        }
    }
}
