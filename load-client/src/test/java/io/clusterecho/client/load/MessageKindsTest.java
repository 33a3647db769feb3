package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoResponseDecoder;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageKindsTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long STEP_NS = 10_000;
    private static final long FIRST_CLIENT_ID = 1_000;
    private static final int WARM_UP = 100;
    private static final List<MessageKind> KINDS = List.of(
        new MessageKind("orders", 64, 64, 200), new MessageKind("quotes", 40, 90, 700),
        new MessageKind("files", 3_000, 3_000, 100));
    private static final Messages MESSAGES = new Messages(KINDS, 7, false);
    private static final Schedule SCHEDULE = new ConstantSchedule(1_000);

    @ParameterizedTest
    @ValueSource(ints = { 1, 2, 3 })
    void shouldSendEachMessageInItsLengthAndAccountForItInItsKindOverAllClients(final int clientCount)
    {
        final List<LoadOutcome> shares = new ArrayList<>();
        final Histogram responseTimes = new Histogram(3);
        for (int number = 0; number < clientCount; number++)
        {
            final LoadPlan plan = plan(MESSAGES, 2).of(new Share(number, clientCount));
            final ManualRun run = new ManualRun();
            final Transport[] transports = new Transport[2];
            for (int i = 0; i < transports.length; i++)
            {
                transports[i] = new ScriptedTransport(run, (transport, sequence) ->
                {
                    final long index = indexOf(plan, transport.reply(), sequence);
                    assertThat(transport.reply()).as("message %d", index).hasSize(MESSAGES.lengthBytes(index));
                    if (index % 7 != 3)
                    {
                        transport.replies.add(transport.reply());
                    }
                });
            }
            shares.add(run.execute(plan, SCHEDULE, STEP_NS, (timeNs) -> { }, transports));
            responseTimes.add(run.responseTimes);
        }

        final LoadOutcome whole = LoadAccounts.sum(plan(MESSAGES, 2), SCHEDULE, shares);
        assertThat(whole.of(Counter.SCHEDULED)).isEqualTo(900);
        assertThat(whole.of(Counter.CORRUPT)).isZero();
        assertThat(whole.of(Counter.UNANSWERED)).isBetween(126L, 131L);
        assertSum(whole, responseTimes);
        final long[] expected = new long[3];
        final long[] expectedUnanswered = new long[3];
        for (int i = WARM_UP; i < 1_000; i++)
        {
            expected[MESSAGES.kindOf(i)]++;
            expectedUnanswered[MESSAGES.kindOf(i)] += i % 7 == 3 ? 1 : 0;
        }
        assertThat(whole.kinds().stream().mapToLong((kind) -> kind.counts().of(Counter.SCHEDULED)))
            .containsExactly(box(expected));
        assertThat(whole.kinds().stream().mapToLong((kind) -> kind.counts().of(Counter.UNANSWERED)))
            .containsExactly(box(expectedUnanswered));
        assertThat(whole.kinds()).extracting(KindOutcome::kind).isEqualTo(KINDS);
        assertThat(whole.kinds().stream().mapToDouble((kind) -> kind.ratePerSecondAchieved(whole)).sum())
            .isCloseTo(whole.ratePerSecondAchieved(), org.assertj.core.data.Offset.offset(1e-6));
    }

    @Test
    void shouldAccountForKindsThatWereLateOrNeverSent()
    {
        final ManualRun run = new ManualRun();
        final LoadPlan plan = plan(MESSAGES, 1);
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        final LoadOutcome outcome = run.execute(plan, SCHEDULE, STEP_NS, (timeNs) ->
            transport.sendResult = timeNs > SECOND_NS / 4 && timeNs < SECOND_NS / 2 || timeNs > 3 * SECOND_NS / 4 ?
                SendResult.BACK_PRESSURED : SendResult.SENT,
            transport);

        assertThat(outcome.of(Counter.LATE)).isPositive();
        assertThat(outcome.of(Counter.NEVER_SENT)).isPositive();
        assertSum(outcome, run.responseTimes);
        assertThat(run.agent.outcome().kinds()).as("a second look").hasToString(outcome.kinds().toString());
    }

    @Test
    void shouldTakeAReplyOfTheLengthOfAnotherMessageAsCorrupt()
    {
        final ManualRun run = new ManualRun();
        final PayloadCheck check = new PayloadCheck();
        final LoadPlan plan = plan(MESSAGES, 1);
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) ->
        {
            if (sequence != 500)
            {
                self.replies.add(self.reply());
                return;
            }
            // Each is complete by its own check.
            for (final int length : new int[]{ MESSAGES.lengthBytes(500) - 1, MESSAGES.lengthBytes(500) + 1, 3_000 })
            {
                final UnsafeBuffer other = new UnsafeBuffer(Arrays.copyOf(self.reply(), length));
                EchoMessage.encode(
                    other, 0, length, EchoResponseDecoder.TEMPLATE_ID, FIRST_CLIENT_ID, 500,
                    SCHEDULE.timeNs(500), check);
                assertThat(EchoMessage.validate(other, 0, length, check)).isEqualTo(EchoMessage.VALID);
                self.replies.add(other.byteArray());
            }
        });
        assertThat(MESSAGES.lengthBytes(500)).isNotEqualTo(3_000);
        final LoadOutcome outcome = run.execute(plan, SCHEDULE, STEP_NS, (timeNs) -> { }, transport);
        assertThat(outcome.of(Counter.CORRUPT)).isEqualTo(3);
        assertThat(outcome.of(Counter.UNANSWERED)).isEqualTo(1);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(899);
    }

    @Test
    void shouldSendAMessageAgainInItsOwnLength()
    {
        final ManualRun run = new ManualRun();
        final LoadPlan plan = new LoadPlan(
            1_000, MESSAGES, WARM_UP, 900, SECOND_NS / 10, SECOND_NS * 9 / 10, 1, SECOND_NS, 60 * SECOND_NS, 1024,
            new Delivery(true, SECOND_NS / 20, 1_000), Share.WHOLE, false);
        final boolean[] isLost = new boolean[1_000];
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) ->
        {
            assertThat(self.reply()).hasSize(MESSAGES.lengthBytes(sequence));
            final boolean isFirst = !isLost[(int)sequence];
            isLost[(int)sequence] = true;
            if (sequence % 5 != 0 || !isFirst)
            {
                self.replies.add(self.reply());
            }
        });
        final LoadOutcome outcome = run.execute(plan, SCHEDULE, STEP_NS, (timeNs) -> { }, transport);
        assertThat(outcome.of(Counter.RESENT)).isGreaterThan(150);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.of(Counter.CORRUPT)).isZero();
        assertSum(outcome, run.responseTimes);
    }

    @Test
    void shouldReportNoKindsIfThereIsOneOrAClientWasLost()
    {
        final ManualRun run = new ManualRun();
        final LoadOutcome one = run.execute(
            plan(Messages.ofLength(64, 1_000), 1), new ConstantSchedule(1_000), STEP_NS, (timeNs) -> { },
            new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply())));
        assertThat(one.kinds()).isEmpty();

        final LoadPlan whole = plan(MESSAGES, 1);
        final LoadOutcome some = outcome();
        final LoadOutcome lost =
            LoadAccounts.ofLost(plan(MESSAGES, 1), SCHEDULE, new LoadAccounts.Totals(), SECOND_NS, 1_000);
        assertThat(LoadAccounts.sum(whole, SCHEDULE, List.of(some, some)).kinds()).hasSize(3);
        assertThat(LoadAccounts.sum(whole, SCHEDULE, List.of(some, lost)).kinds()).isEmpty();
        assertThat(LoadAccounts.sum(whole, SCHEDULE, List.of(lost, some)).kinds()).isEmpty();
    }

    @Test
    void shouldReportKindsToAnotherProcess()
    {
        final LoadOutcome outcome = outcome();
        final LoadOutcome read = LoadMergeTest.sent(outcome);
        assertThat(read.kinds()).extracting(KindOutcome::kind).isEqualTo(KINDS);
        assertThat(read.kinds()).extracting(KindOutcome::counts)
            .isEqualTo(outcome.kinds().stream().map(KindOutcome::counts).toList());
        assertThat(read.kinds()).extracting(KindOutcome::responseTimes)
            .isEqualTo(outcome.kinds().stream().map(KindOutcome::responseTimes).toList());
    }

    @Test
    void shouldNotAllocateInSteadyState()
    {
        final long rate = 1_000_000_000L;
        final LoadPlan plan = new LoadPlan(
            rate, MESSAGES, 0, rate, 0, SECOND_NS, 1, SECOND_NS, SECOND_NS, 1 << 16, Delivery.AT_MOST_ONCE, Share.WHOLE, false);
        final Transport transport = new MemoryTransport(SystemNanoClock.INSTANCE, MESSAGES.maxLengthBytes(), 0, 0, 0, 1);
        final LoadAgent agent = new LoadAgent(
            plan, new ConstantSchedule(rate), new Transport[]{ transport }, 1, SystemNanoClock.INSTANCE, null);
        agent.begin(System.nanoTime());
        doWork(agent, 5_000);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        final long answeredBefore = agent.answeredCount();
        final long before = threads.getThreadAllocatedBytes(threadId);
        doWork(agent, 5_000);
        final long after = threads.getThreadAllocatedBytes(threadId);
        assertThat(agent.answeredCount() - answeredBefore).isGreaterThan(100_000);
        // Reading the counter allocates a little; one byte per message would be 100,000.
        assertThat(after - before).isLessThan(2_000);
    }

    private static LoadOutcome outcome()
    {
        final ManualRun run = new ManualRun();
        return run.execute(
            plan(MESSAGES, 1), SCHEDULE, STEP_NS, (timeNs) -> { },
            new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply())));
    }

    private static void assertSum(final LoadOutcome whole, final Histogram responseTimes)
    {
        Stream.of(Counter.SCHEDULED, Counter.ANSWERED, Counter.LATE, Counter.UNANSWERED, Counter.NEVER_SENT).forEach(
            (counter) -> assertThat(whole.kinds().stream().mapToLong((kind) -> kind.counts().of(counter)).sum())
                .as("%s", counter).isEqualTo(whole.of(counter)));
        final Histogram sum = new Histogram(3);
        whole.kinds().forEach((kind) ->
        {
            assertThat(kind.responseTimes().getTotalCount()).isEqualTo(kind.counts().of(Counter.SCHEDULED));
            assertThat(kind.counts().of(Counter.ANSWERED) + kind.counts().of(Counter.LATE) +
                kind.counts().of(Counter.UNANSWERED) +
                kind.counts().of(Counter.NEVER_SENT)).isEqualTo(kind.counts().of(Counter.SCHEDULED));
            sum.add(kind.responseTimes());
        });
        for (final double percentile : new double[]{ 0, 10, 50, 90, 99, 100 })
        {
            assertThat(sum.getValueAtPercentile(percentile)).isEqualTo(responseTimes.getValueAtPercentile(percentile));
        }
    }

    private static Long[] box(final long[] values)
    {
        return Arrays.stream(values).boxed().toArray(Long[]::new);
    }

    private static LoadPlan plan(final Messages messages, final int sessionCount)
    {
        return new LoadPlan(
            1_000, messages, WARM_UP, 900, SECOND_NS / 10, SECOND_NS * 9 / 10, sessionCount, SECOND_NS / 10, SECOND_NS / 5, 1024,
            Delivery.AT_MOST_ONCE, Share.WHOLE, false);
    }

    private static long indexOf(final LoadPlan plan, final byte[] reply, final long sequence)
    {
        return sequence * plan.stride() + EchoMessage.clientId(new UnsafeBuffer(reply), 0) - FIRST_CLIENT_ID;
    }

    private static void doWork(final LoadAgent agent, final int turnCount)
    {
        for (int i = 0; i < turnCount; i++)
        {
            agent.doWork();
        }
    }
}
