package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;

import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.StageStamps;
import io.clusterecho.client.record.Journal;
import io.clusterecho.client.record.JournalReader;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.host.MonotonicClock;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.StageTimesEncoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodecSessionTest
{
    private static final long RATE = 1_000;
    private static final long MS = 1_000_000L;
    private static final long STEP_NS = 10_000;
    private static final int COUNT = 900;
    private static final long CLOCK_ID = MonotonicClock.id();

    private final ManualRun run = new ManualRun();

    /** A service that a test scripts: for each request it may queue messages, of any session. */
    private final class Service implements Transport
    {
        private final Deque<byte[]> messages = new ArrayDeque<>();
        private final List<Integer> lengths = new ArrayList<>();
        private final ObjLongConsumer<Service> script;

        Service(final ObjLongConsumer<Service> script)
        {
            this.script = script;
        }

        void send(final int kind, final long request)
        {
            messages.add(reply(kind, request));
        }

        @Override
        public void connect(final long timeoutNs)
        {
            // Always connected.
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            lengths.add(length);
            script.accept(this, message.getLong(offset));
            return SendResult.SENT;
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            int count = 0;
            for (; count < limit && !messages.isEmpty(); count++)
            {
                final byte[] bytes = messages.poll();
                handler.onResponse(new UnsafeBuffer(bytes), 0, bytes.length, run.nanoTime());
            }
            return count;
        }

        @Override
        public long sessionId()
        {
            return 0x2_0000_0029L;
        }

        @Override
        public void close()
        {
            messages.clear();
        }
    }

    private static byte[] reply(final int kind, final long request)
    {
        return ByteBuffer.allocate(OrderCodec.REPLY_LENGTH).order(ByteOrder.nativeOrder()).put((byte)kind).putLong(request)
            .array();
    }

    private static LoadPlan plan(final MessageCodec codec, final int sessionCount)
    {
        return plan(codec, sessionCount, false);
    }

    private static LoadPlan plan(final MessageCodec codec, final int sessionCount, final boolean isStaged)
    {
        return new LoadPlan(
            RATE, new EncodedMessages(() -> codec, codec, 12, RATE), 100, COUNT, 100 * MS, COUNT * MS, sessionCount, 1_000 * MS,
            10_000 * MS, 1024, Delivery.AT_MOST_ONCE, Share.WHOLE, isStaged);
    }

    private LoadOutcome executeStaged(final int sessionCount, final ObjLongConsumer<Service> script)
    {
        return run.execute(
            plan(new OrderCodec(), sessionCount, true), new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { },
            Stream.generate(() -> new Service(script)).limit(sessionCount).toArray(Transport[]::new));
    }

    /** The mark of a request that was sent now and went through all stages at once. */
    private byte[] mark(final long request)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[16]);
        final int length = new OrderCodec().encode(request, bytes, 0);
        final UnsafeBuffer mark = new UnsafeBuffer(new byte[StageStamps.LENGTH]);
        new StageTimesEncoder().wrapAndApplyHeader(mark, 0, new MessageHeaderEncoder()).clock(CLOCK_ID)
            .taken(run.nanoTime()).logged(run.nanoTime()).committed(run.nanoTime()).served(run.nanoTime());
        mark.putInt(StageStamps.LENGTH - Integer.BYTES, new PayloadCheck().compute(bytes, 0, length), ByteOrder.LITTLE_ENDIAN);
        return mark.byteArray();
    }

    @Test
    void shouldTakeTheTimesOfARequestFromTheMarkBehindItsFirstReply()
    {
        final LoadOutcome outcome = executeStaged(3, (self, request) ->
        {
            self.send(OrderCodec.ACCEPTED, request);
            self.send(OrderCodec.FILLED, request);
            self.messages.add(mark(request));
        });

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(outcome.of(Counter.EVENTS) + outcome.of(Counter.CORRUPT)).isZero();
        assertThat(outcome.stages().stampedCount()).isEqualTo(COUNT);
        assertThat(outcome.stages().unstampedCount() + outcome.stages().disagreeingCount()).isZero();
        assertThat(outcome.slowest()).hasSize(COUNT).allMatch((message) -> message.partsNs().containsKey(Part.LOG) &&
            message.responseTimeNs() == message.partsNs().values().stream().mapToLong(Long::longValue).sum());
    }

    @Test
    void shouldHaveNoTimesOfALateReplyNorOfOneToAnotherRequest()
    {
        final LoadOutcome outcome = executeStaged(1, (self, request) ->
        {
            // The reply to each odd request is sent with that to the next one, after the odd one's mark.
            if (request % 2 == 0)
            {
                self.send(OrderCodec.ACCEPTED, request - 1);
                self.send(OrderCodec.ACCEPTED, request);
            }
            self.messages.add(mark(request));
        });

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT - 1);
        assertThat(outcome.of(Counter.CORRUPT)).isZero();
        assertThat(outcome.stages().stampedCount()).isEqualTo(COUNT / 2);
        assertThat(outcome.stages().unstampedCount()).isEqualTo(COUNT / 2 - 1);
    }

    @Test
    void shouldWaitForTheMarkOfTheLastReplyAndNotForOneThatDoesNotCome()
    {
        final Service late = new Service((self, request) -> self.send(OrderCodec.ACCEPTED, request));
        final long last = 100 + COUNT - 1;
        final boolean[] isMarked = { false };
        final LoadOutcome outcome = run.execute(
            plan(new OrderCodec(), 1, true), new ConstantSchedule(RATE), STEP_NS, (timeNs) ->
            {
                if (!isMarked[0] && timeNs >= (last + 2) * MS)
                {
                    isMarked[0] = true;
                    late.messages.add(mark(last));
                }
            }, late);
        assertThat(outcome.stages().stampedCount() + outcome.stages().disagreeingCount()).isEqualTo(1);
        assertThat(outcome.stages().unstampedCount()).isEqualTo(COUNT - 1);
        assertThat(run.nanoTime() - ManualRun.START_NS).as("others never come")
            .isBetween((last + 100) * MS, (last + 102) * MS);
    }

    @Test
    void shouldPassWhatIsNoMarkToTheMessages()
    {
        final LoadOutcome outcome = executeStaged(1, (self, request) ->
        {
            final byte[] cut = mark(request);
            final byte[] foreign = mark(request);
            foreign[2]++;
            self.messages.add(Arrays.copyOf(cut, cut.length - 1));
            self.messages.add(foreign);
            self.send(OrderCodec.ACCEPTED, request);
        });

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(outcome.of(Counter.EVENTS) + outcome.of(Counter.CORRUPT)).isPositive();
        assertThat(outcome.stages().unstampedCount()).isEqualTo(COUNT);
    }

    private LoadOutcome execute(final ObjLongConsumer<Service> script)
    {
        return run.execute(
            plan(new OrderCodec(), 1), new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, new Service(script));
    }

    @Test
    void shouldEndTheRoundTripWithTheFirstReplyAndTimeEachKind()
    {
        final Service service = new Service((self, request) -> self.send(OrderCodec.ACCEPTED, request));
        final long[] filled = { 0 };
        final LoadOutcome outcome = run.execute(
            plan(new OrderCodec(), 1), new ConstantSchedule(RATE), STEP_NS, (timeNs) ->
            {
                // Each second order is filled 1 ms after it was due.
                if (filled[0] < 1_000 && timeNs >= (filled[0] + 1) * MS)
                {
                    service.send(OrderCodec.FILLED, filled[0]);
                    filled[0] += 2;
                }
            }, service);

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(outcome.of(Counter.DUPLICATES) + outcome.of(Counter.EVENTS) + outcome.of(Counter.CORRUPT) +
            outcome.of(Counter.OUT_OF_ORDER)).isZero();
        assertThat(run.responseTimes.getMaxValue()).isLessThan(MS / 10);
        assertThat(outcome.replies()).extracting((kind) -> kind.kind().name()).containsExactly("accepted", "filled");
        assertThat(outcome.replies()).extracting((kind) -> kind.counts().of(Counter.ANSWERED)).containsExactly(900L, 450L);
        final KindOutcome fills = outcome.replies().get(OrderCodec.FILLED);
        assertThat(fills.responseTimes().getTotalCount()).isEqualTo(450);
        assertThat(fills.responseTimes().getMinValue()).isGreaterThan(MS * 9 / 10);
        assertThat(service.lengths).startsWith(8, 9, 10).contains(16).doesNotContain(17);
    }

    @Test
    void shouldTakeFurtherRepliesForDuplicatesUnlessTheirKindIsRepeatable()
    {
        final LoadOutcome outcome = execute((service, request) ->
        {
            service.send(OrderCodec.ACCEPTED, request);
            if (0 == request % 10)
            {
                service.send(OrderCodec.ACCEPTED, request);
                service.send(OrderCodec.FILLED, request);
                service.send(OrderCodec.FILLED, request);
                service.send(OrderCodec.FILLED, request);
            }
        });

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(outcome.of(Counter.DUPLICATES)).isEqualTo(90);
        assertThat(outcome.of(Counter.REPEATED)).as("over the whole run").isEqualTo(200);
        assertThat(outcome.replies().get(OrderCodec.ACCEPTED).counts().of(Counter.DUPLICATES)).isEqualTo(90);
        assertThat(outcome.replies().get(OrderCodec.FILLED).counts().of(Counter.REPEATED)).isEqualTo(180);
        assertThat(outcome.replies().get(OrderCodec.FILLED).counts().of(Counter.ANSWERED)).isEqualTo(90);
    }

    @Test
    void shouldCountWhatWasNeverAnswered()
    {
        final LoadOutcome outcome = execute((service, request) ->
        {
            if (0 != request % 100)
            {
                service.send(OrderCodec.FILLED, request);
            }
        });
        assertThat(outcome.of(Counter.UNANSWERED)).isEqualTo(9);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(891);
        assertThat(run.responseTimes.getTotalCount()).isEqualTo(COUNT);
    }

    @Test
    void shouldTakeWhatAnswersNoRequestOfTheSessionForAnEvent()
    {
        final Service[] services = new Service[2];
        for (int i = 0; i < 2; i++)
        {
            services[i] = new Service((self, request) ->
            {
                for (final Service service : services)
                {
                    // Each session hears of the orders of both.
                    service.send(OrderCodec.ACCEPTED, request);
                }
                if (500 == request)
                {
                    self.messages.add(new byte[0]);
                    self.send(OrderCodec.ACCEPTED, -2);
                    self.send(OrderCodec.ACCEPTED, 1_000_000);
                    self.send(OrderCodec.ACCEPTED, 900);
                }
            });
        }
        final LoadOutcome outcome = run.execute(
            plan(new OrderCodec(), 2), new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, services);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(outcome.of(Counter.EVENTS)).isEqualTo(1_000 + 4);
        assertThat(outcome.of(Counter.DUPLICATES)).isZero();
    }

    @Test
    void shouldAnswerSeveralRequestsWithOneMessage()
    {
        final List<byte[]> held = new ArrayList<>();
        final LoadOutcome outcome = execute((service, request) ->
        {
            held.add(reply(OrderCodec.ACCEPTED, request));
            if (10 == held.size())
            {
                final ByteBuffer batch = ByteBuffer.allocate(10 * OrderCodec.REPLY_LENGTH);
                held.forEach(batch::put);
                service.messages.add(batch.array());
                held.clear();
            }
        });
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(outcome.of(Counter.EVENTS)).isZero();
    }

    @Test
    void shouldCountMessagesThatCannotBeDecodedAsCorrupt()
    {
        final LoadOutcome outcome = execute((service, request) ->
        {
            service.messages.add(0 == request % 100 ? new byte[5] : reply(OrderCodec.ACCEPTED, request));
        });
        assertThat(outcome.of(Counter.CORRUPT)).isEqualTo(10);
        assertThat(outcome.of(Counter.EVENTS)).isZero();
        assertThat(outcome.of(Counter.UNANSWERED)).isEqualTo(9);
        assertThat(run.agent.records.damage).hasMessage("length=5");
    }

    @Test
    void shouldCountAReplyOfAKindThatCannotBeAsCorrupt()
    {
        final LoadOutcome outcome = execute((service, request) ->
            service.send(7 == request ? 2 : 8 == request ? -1 : OrderCodec.ACCEPTED, request));
        assertThat(outcome.of(Counter.CORRUPT)).isEqualTo(2);
        assertThat(outcome.of(Counter.EVENTS)).isZero();
        assertThat(run.agent.records.damage).hasMessage("request 7 has a reply of kind 2, allowed 0 to 1");
    }

    @Test
    void shouldFailForALengthThatCannotBe()
    {
        final OrderCodec tooLong = new OrderCodec();
        tooLong.init(1, Map.of("extra", "9"));
        assertThatThrownBy(() -> run.execute(
            plan(tooLong, 1), new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { },
            new Service((service, request) -> service.send(OrderCodec.ACCEPTED, request))))
            .isInstanceOf(IllegalStateException.class).hasMessage("request 9 was encoded with a length of 17, allowed 1 to 16");
    }

    @Test
    void shouldKeepTheFirstReplyOfEachKindInTheJournal(@TempDir final Path folder)
    {
        final Path file = folder.resolve("journal");
        final LoadPlan plan = plan(new OrderCodec(), 2);
        try (Journal journal = new Journal(file, 0))
        {
            final Service[] services = new Service[2];
            for (int i = 0; i < 2; i++)
            {
                services[i] = new Service((self, request) ->
                {
                    self.send(OrderCodec.FILLED, request);
                    self.send(OrderCodec.FILLED, request);
                    self.send(OrderCodec.ACCEPTED, request);
                });
            }
            final LoadAgent agent = new LoadAgent(plan, new ConstantSchedule(RATE), services, 1_000, run, journal);
            agent.begin(run.nanoTime());
            while (!agent.isDone())
            {
                if (0 == agent.doWork())
                {
                    run.advance(STEP_NS);
                }
            }
        }

        final List<String> read = new ArrayList<>();
        JournalReader.read(file, new JournalReader.Handler()
        {
            @Override
            public void onSent(final long clientId, final int sessionId, final long firstSequence, final long count)
            {
                assertThat(sessionId).as("the low half of its session's id").isEqualTo(0x29);
            }

            @Override
            public void onReply(
                final long clientId, final long sequence, final int check, final int kind, final long receiveTimeNs)
            {
                read.add(plan.stride() * sequence + clientId - 1_000 + " " + kind + " " + check);
            }
        });
        assertThat(read).hasSize(2_000).doesNotHaveDuplicates().contains("0 0 0", "0 1 0", "1 0 0", "999 0 0", "999 1 0");
    }

    @Test
    void shouldNotAllocate()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final UnsafeBuffer replies = new UnsafeBuffer(new byte[1 << 16]);
        final OrderCodec codec = new OrderCodec();
        final LoadPlan plan = new LoadPlan(
            1_000_000, new EncodedMessages(() -> codec, codec, 12, 1_000_000), 0, 2_000_000, 0, 2_000 * MS, 1, MS,
            10_000 * MS, 1024, Delivery.AT_MOST_ONCE, Share.WHOLE, false);
        final LoadAgent agent = new LoadAgent(
            plan, new ConstantSchedule(1_000_000), new Transport[]{ new AllocationFreeService(replies) }, 1, run, null);
        agent.begin(0);
        long before = 0;
        while (!agent.isDone())
        {
            run.advance(1_000);
            agent.doWork();
            if (0 == before && agent.answeredCount() > 500_000)
            {
                before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            }
        }
        final long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        assertThat(agent.answeredCount()).isEqualTo(2_000_000);
        // One byte per message would be 1,500,000.
        assertThat(after - before).isLessThan(20_000);
    }

    /** Answers at once. */
    private final class AllocationFreeService implements Transport
    {
        private final UnsafeBuffer replies;
        private int length;

        AllocationFreeService(final UnsafeBuffer replies)
        {
            this.replies = replies;
        }

        @Override
        public void connect(final long timeoutNs)
        {
            // Always connected.
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int requestLength)
        {
            replies.putByte(length, (byte)OrderCodec.ACCEPTED);
            replies.putLong(length + 1, message.getLong(offset));
            length += OrderCodec.REPLY_LENGTH;
            return SendResult.SENT;
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            final int count = length / OrderCodec.REPLY_LENGTH;
            for (int i = 0; i < length; i += OrderCodec.REPLY_LENGTH)
            {
                handler.onResponse(replies, i, OrderCodec.REPLY_LENGTH, run.nanoTime());
            }
            length = 0;
            return count;
        }

        @Override
        public void close()
        {
            length = 0;
        }
    }
}
