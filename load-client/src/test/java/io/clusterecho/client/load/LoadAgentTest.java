package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;

import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.ProfiledSchedule;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.SequenceGapEncoder;

import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadAgentTest
{
    private static final long RATE = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long STEP_NS = 10_000;
    private static final LoadPlan PLAN =
        new LoadPlan(RATE, 64, 100, 900, 1, SECOND_NS, 10 * SECOND_NS, 1024, Delivery.AT_MOST_ONCE);

    private final ManualRun run = new ManualRun();

    @Test
    void shouldCountWhatWasNeverAnsweredAndKeepItInTheDistribution()
    {
        final LoadOutcome outcome = execute((transport, sequence) ->
        {
            if (sequence != 150 && sequence != 999)
            {
                transport.replies.add(transport.reply());
            }
        });

        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(900);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(898);
        assertThat(outcome.of(Counter.UNANSWERED)).isEqualTo(2);
        assertThat(outcome.of(Counter.NEVER_SENT)).isZero();
        assertThat(run.responseTimes.getTotalCount()).isEqualTo(900);
        // Due at 150 ms; the run ends 1 s after its last message.
        assertThat(run.responseTimes.getMaxValue()).isBetween(1_845_000_000L, 1_855_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 100, WARM_UP", "0, 250, MEASURE", "0, 150, WARM_UP", "50, 150, MEASURE", "100, 900, MEASURE", "900, 1001, MEASURE",
        "900, 1150, DRAIN", "0, 1400, MEASURE", "1000, 1200, DRAIN" })
    void shouldNameAnIntervalByThePhaseThatFillsMostOfIt(final long beginMs, final long endMs, final RunPhase phase)
    {
        execute((transport, sequence) -> transport.replies.add(transport.reply()));
        assertThat(run.agent.phaseOf(beginMs * 1_000_000, endMs * 1_000_000)).isEqualTo(phase);
    }

    @Test
    void shouldCountWhatFollowsARequestedEndAsDrain()
    {
        final ScriptedTransport transport =
            new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        run.execute(PLAN, new ConstantSchedule(RATE), STEP_NS, (elapsedNs) ->
        {
            if (elapsedNs >= SECOND_NS / 2)
            {
                run.agent.requestEnd();
            }
        }, transport);
        assertThat(run.agent.phaseOf(0, SECOND_NS / 2)).isEqualTo(RunPhase.MEASURE);
        assertThat(run.agent.phaseOf(SECOND_NS / 2, SECOND_NS)).isEqualTo(RunPhase.DRAIN);
    }

    @Test
    void shouldCountAFurtherReplyAsADuplicate()
    {
        final LoadOutcome outcome = execute((transport, sequence) ->
        {
            transport.replies.add(transport.reply());
            if (sequence == 200)
            {
                transport.replies.add(transport.reply());
            }
        });

        assertThat(outcome.of(Counter.DUPLICATES)).isEqualTo(1);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(run.responseTimes.getTotalCount()).isEqualTo(900);
    }

    @Test
    void shouldTellAMessageThatWasAppliedTwiceFromOneWithALateReply()
    {
        final LoadPlan plan = new LoadPlan(
            RATE, 64, 100, 900, 1, SECOND_NS, 10 * SECOND_NS, 1024, new Delivery(true, 10 * SECOND_NS, 1_000));
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) ->
        {
            if (sequence == 200)
            {
                // Replies that the old leader had sent before it was paused arrive after those of the new leader.
                self.replies.add(self.repeatedReply());
            }
            self.replies.add(self.reply());
            if (sequence == 300)
            {
                self.replies.add(self.reply());
            }
        });
        final LoadOutcome outcome = run.execute(plan, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, transport);

        assertThat(outcome.of(Counter.REPEATED)).isEqualTo(1);
        assertThat(outcome.of(Counter.DUPLICATES)).isEqualTo(1);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
    }

    @Test
    void shouldCountOnceWhatTheClusterLostAndEnd()
    {
        // From sequence 300 on, as if the log ended after 249: 50 acknowledged messages are missing.
        final LoadOutcome outcome = executeExactlyOnce(
            (self, sequence) -> self.replies.add(sequence < 300 ? self.reply() : gap(self, 250)));
        assertThat(outcome.of(Counter.FORGOTTEN)).isEqualTo(50);
        assertThat(outcome.of(Counter.SCHEDULED)).isLessThan(900);
        assertThat(outcome.of(Counter.GAPS)).isPositive();
    }

    @Test
    void shouldIgnoreARejectionThatALaterReplyDisproves()
    {
        final LoadOutcome outcome = executeExactlyOnce((self, sequence) ->
        {
            if (sequence % 100 == 50)
            {
                // Sent by a leader that was paused meanwhile.
                self.replies.add(gap(self, sequence - 10));
            }
            self.replies.add(self.reply());
        });
        assertThat(outcome.of(Counter.FORGOTTEN)).isZero();
        assertThat(outcome.of(Counter.GAPS)).isEqualTo(10);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
    }

    private LoadOutcome executeExactlyOnce(final ObjLongConsumer<ScriptedTransport> script)
    {
        final LoadPlan plan = new LoadPlan(
            RATE, 64, 100, 900, 1, SECOND_NS, 10 * SECOND_NS, 1024, new Delivery(true, SECOND_NS / 50, 1_000));
        return run.execute(
            plan, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, new ScriptedTransport(run, script));
    }

    private static byte[] gap(final ScriptedTransport transport, final long expected)
    {
        final UnsafeBuffer buffer =
            new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + SequenceGapEncoder.BLOCK_LENGTH]);
        new SequenceGapEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .clientId(EchoMessage.clientId(new UnsafeBuffer(transport.reply()), 0)).expectedSequence(expected);
        return buffer.byteArray();
    }

    @Test
    void shouldCountAReplyThatANewerOneOvertook()
    {
        final byte[][] held = new byte[1][];
        final LoadOutcome outcome = execute((transport, sequence) ->
        {
            if (sequence == 300)
            {
                held[0] = transport.reply();
            }
            else
            {
                transport.replies.add(transport.reply());
                if (sequence == 301)
                {
                    transport.replies.add(held[0]);
                }
            }
        });

        assertThat(outcome.of(Counter.OUT_OF_ORDER)).isEqualTo(1);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
    }

    @Test
    void shouldNotTakeAMessageWhoseReplyWasLostForOvertaken()
    {
        final Set<Long> applied = new HashSet<>();
        final LoadOutcome outcome = executeExactlyOnce((self, sequence) ->
        {
            if (!applied.add(sequence))
            {
                self.replies.add(self.repeatedReply());
            }
            else if (sequence != 300)
            {
                self.replies.add(self.reply());
            }
        });

        assertThat(outcome.of(Counter.RESENT)).isPositive();
        assertThat(outcome.of(Counter.OUT_OF_ORDER)).isZero();
        assertThat(outcome.replied()).isEqualTo(900);
    }

    @Test
    void shouldNotTakeACorruptReplyForAnAnswer()
    {
        final LoadOutcome outcome = execute((transport, sequence) ->
        {
            if (sequence == 400)
            {
                transport.reply()[40] ^= 1;
            }
            if (sequence == 401)
            {
                final byte[] cut = new byte[40];
                System.arraycopy(transport.reply(), 0, cut, 0, cut.length);
                transport.replies.add(cut);
            }
            else
            {
                transport.replies.add(transport.reply());
            }
        });

        assertThat(outcome.of(Counter.CORRUPT)).isEqualTo(2);
        assertThat(outcome.of(Counter.UNANSWERED)).isEqualTo(2);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(898);
        assertThat(outcome.slowest().stream().filter((message) -> !message.isAnswered()).map(SlowMessage::number))
            .containsExactly(400L, 401L);
    }

    @Test
    void shouldNotTakeAPayloadForAnAnswerThatIsNotItsOwnThoughTheCheckFits()
    {
        final PayloadCheck check = new PayloadCheck();
        final LoadOutcome outcome = execute((transport, sequence) ->
        {
            if (sequence == 400)
            {
                final UnsafeBuffer reply = new UnsafeBuffer(transport.reply());
                reply.putByte(63, (byte)(reply.getByte(63) ^ 1));
                EchoMessage.encode(
                    reply, 0, 64, EchoMessage.templateId(reply, 0), EchoMessage.clientId(reply, 0), sequence,
                    EchoMessage.intendedSendTimeLow(reply, 0), check);
            }
            transport.replies.add(transport.reply());
        });

        assertThat(outcome.of(Counter.CORRUPT)).isEqualTo(1);
        assertThat(outcome.of(Counter.UNANSWERED)).isEqualTo(1);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(899);
    }

    @Test
    void shouldTakeItsOwnRequestForAnAnswerOnlyWhereRequestsAreSentBackAsTheyAre()
    {
        final ScriptedTransport plain =
            new ScriptedTransport(run, (transport, sequence) -> transport.replies.add(transport.reply()));
        plain.replyTemplateId = EchoRequestDecoder.TEMPLATE_ID;
        final LoadOutcome outcome = run.execute(PLAN, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, plain);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.of(Counter.CORRUPT)).isZero();

        final LoadOutcome refused = execute((transport, sequence) ->
        {
            final byte[] request = transport.reply();
            EchoMessage.templateId(new UnsafeBuffer(request), 0, EchoRequestDecoder.TEMPLATE_ID);
            transport.replies.add(request);
        });
        assertThat(refused.of(Counter.ANSWERED)).isZero();
        // Those of the warm-up too.
        assertThat(refused.of(Counter.CORRUPT)).isEqualTo(1_000);
    }

    @Test
    void shouldCountWhatTheTransportNeverTook()
    {
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        final LoadOutcome outcome = run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS,
            (timeNs) -> transport.sendResult = timeNs < SECOND_NS / 2 ? SendResult.SENT : SendResult.BACK_PRESSURED,
            transport);

        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(900);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(400);
        assertThat(outcome.of(Counter.NEVER_SENT)).isEqualTo(500);
        assertThat(outcome.of(Counter.BACK_PRESSURED)).isPositive();
        assertThat(run.responseTimes.getTotalCount()).isEqualTo(900);
        // The first of them was due at 500 ms, and the run ended 1 s after 1000 ms.
        assertThat(run.responseTimes.getMaxValue()).isBetween(1_495_000_000L, 1_505_000_000L);
        assertThat(outcome.slowest()).hasSize(900).element(0).satisfies((first) ->
        {
            assertThat(first.number()).isEqualTo(500);
            assertThat(first.isAnswered()).isFalse();
            assertThat(first.responseTimeNs()).isBetween(1_495_000_000L, 1_505_000_000L);
            assertThat(first.partsNs()).isEqualTo(Map.of(Part.BACK_PRESSURE, first.responseTimeNs(), Part.UNKNOWN, 0L));
        });
    }

    @Test
    void shouldLeaveTheBacklogOfTheWarmUpOut()
    {
        final LoadOutcome outcome = executeBehindAtTheEndOfTheWarmUp(PLAN);

        // Due from 50 to 99 ms; the transport accepts messages again from 200 ms.
        assertThat(outcome.of(Counter.WARM_UP_SKIPPED)).isEqualTo(50);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(900);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(run.sendDelays.getMaxValue()).isBetween(98_000_000L, 102_000_000L);
    }

    @Test
    void shouldLeaveNothingOutOfAWarmUpWhenEveryMessageMustBeAcknowledged()
    {
        final LoadOutcome outcome = executeBehindAtTheEndOfTheWarmUp(new LoadPlan(
            RATE, 64, 100, 900, 1, SECOND_NS, 10 * SECOND_NS, 1024, new Delivery(true, 10 * SECOND_NS, 1_000)));

        assertThat(outcome.of(Counter.WARM_UP_SKIPPED)).isZero();
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
    }

    private LoadOutcome executeBehindAtTheEndOfTheWarmUp(final LoadPlan plan)
    {
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        return run.execute(
            plan, new ConstantSchedule(RATE), STEP_NS,
            (timeNs) -> transport.sendResult =
                timeNs >= SECOND_NS / 20 && timeNs < SECOND_NS / 5 ? SendResult.BACK_PRESSURED : SendResult.SENT,
            transport);
    }

    @Test
    void shouldSendLateWhatABackPressuredTransportTakesLater()
    {
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        final LoadOutcome outcome = run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS,
            (timeNs) -> transport.sendResult =
                timeNs >= SECOND_NS / 2 && timeNs < SECOND_NS ? SendResult.DISCONNECTED : SendResult.SENT,
            transport);

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.of(Counter.DISCONNECTED)).isPositive();
        assertThat(run.sendDelays.getMaxValue()).isBetween(498_000_000L, 502_000_000L);
        assertThat(run.serviceTimes.getMaxValue()).isLessThanOrEqualTo(STEP_NS);
    }

    @Test
    void shouldCountAnswersBeyondTheLimitAsLate()
    {
        final LoadPlan plan = new LoadPlan(RATE, 64, 0, 1_000, 1, 2 * SECOND_NS, SECOND_NS / 4, 1024, Delivery.AT_MOST_ONCE);
        final LoadOutcome outcome = run.execute(
            plan, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { },
            new MemoryTransport(run, 64, 0, SECOND_NS / 4, SECOND_NS / 2, 1));

        assertThat(outcome.replied()).isEqualTo(1_000);
        assertThat(outcome.of(Counter.LATE)).isBetween(249L, 251L);
    }

    @Test
    void shouldShareTheScheduleAmongSessions()
    {
        final int count = 7;
        final LoadPlan plan = new LoadPlan(RATE, 64, 10, 1_000, count, SECOND_NS, SECOND_NS, 1024, Delivery.AT_MOST_ONCE);
        final Transport[] transports = new Transport[count];
        final long[] highest = new long[count];
        for (int i = 0; i < count; i++)
        {
            final int number = i;
            transports[i] = new ScriptedTransport(
                run,
                (self, sequence) ->
                {
                    highest[number] = sequence;
                    self.replies.add(self.reply());
                });
        }
        final LoadOutcome outcome = run.execute(
            plan, new PoissonSchedule(RATE, plan.messageCount(), 3), STEP_NS, (timeNs) -> { }, transports);

        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(1_000);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(1_000);
        // 1010 messages over 7 sessions: sequences 0 to 144, the last session one less.
        assertThat(highest).containsExactly(144, 144, 143, 143, 143, 143, 143);
    }

    @ParameterizedTest
    @ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
    void shouldNotMissTheRateBecauseOfDrawnArrivals(final long seed)
    {
        final LoadOutcome outcome = run.execute(
            PLAN, new PoissonSchedule(RATE, PLAN.messageCount(), seed), STEP_NS, (elapsedNs) ->
            {
            }, new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply())));

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.ratePerSecondAchieved()).isCloseTo(RATE, within(0.001 * RATE));
    }

    @ParameterizedTest
    @ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
    void shouldNotMissAVaryingRateBecauseOfDrawnArrivals(final long seed)
    {
        final RateProfile profile = RateProfile.parse("steps:500*600ms,1500*400ms");
        final LoadPlan plan = new LoadPlan(
            900, 64, 0, profile.messageCount(SECOND_NS), 1, SECOND_NS, 10 * SECOND_NS, 1024, Delivery.AT_MOST_ONCE);
        final LoadOutcome outcome = run.execute(
            plan, new ProfiledSchedule(profile, 0, new PoissonSchedule(1, plan.messageCount(), seed)), STEP_NS, (elapsedNs) ->
            {
            }, new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply())));

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.ratePerSecondAchieved()).isCloseTo(900, within(1.0));
    }

    @Test
    void shouldAwaitTheRepliesToDrawnArrivalsThatAreDueAfterTheScheduleOnAverage()
    {
        // Ten a second: the last of 900 is due seconds later than on average, or earlier, depending on the seed.
        final long drainNs = SECOND_NS / 10;
        final LoadPlan plan = new LoadPlan(10, 64, 0, 900, 1, drainNs, 10 * SECOND_NS, 1024, Delivery.AT_MOST_ONCE);
        final long seed = LongStream.range(1, 100).filter(
            (one) -> new PoissonSchedule(10, 900, one).timeNs(899) > plan.endNs() + drainNs).findFirst().orElseThrow();
        final Deque<Long> dueNs = new ArrayDeque<>();
        final Deque<byte[]> held = new ArrayDeque<>();
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) ->
        {
            dueNs.add(run.nanoTime() - ManualRun.START_NS + drainNs / 2);
            held.add(self.reply());
        });
        final LoadOutcome outcome = run.execute(plan, new PoissonSchedule(10, 900, seed), SECOND_NS / 1_000, (elapsedNs) ->
        {
            while (!dueNs.isEmpty() && dueNs.peek() <= elapsedNs)
            {
                dueNs.remove();
                transport.replies.add(held.remove());
            }
        }, transport);

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
    }

    @Test
    void shouldCountTheAgeOfAMessageOfManyDaysAsTheLongestTimeThatIsRecorded()
    {
        final LoadPlan plan = new LoadPlan(RATE, 64, 0, 1, 1, 60 * 3_600 * SECOND_NS, SECOND_NS, 1024, Delivery.AT_MOST_ONCE);
        final LoadOutcome outcome = run.execute(plan, new ConstantSchedule(RATE), 3_600 * SECOND_NS, (elapsedNs) ->
        {
        }, new ScriptedTransport(run, (self, sequence) ->
        {
        }));

        assertThat(outcome.of(Counter.UNANSWERED)).isEqualTo(1);
        assertThat(outcome.unansweredAges().getMaxValue()).isGreaterThanOrEqualTo(TimeRecorder.MAX_TIME_NS);
    }

    @Test
    void shouldMissTheRateOfDrawnArrivalsWhenRepliesEndLate()
    {
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        final LoadOutcome outcome = run.execute(
            PLAN, new PoissonSchedule(RATE, PLAN.messageCount(), 1), STEP_NS, (elapsedNs) -> transport.sendResult =
            elapsedNs >= SECOND_NS / 2 && elapsedNs < 3 * SECOND_NS / 2 ? SendResult.BACK_PRESSURED : SendResult.SENT, transport);

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.ratePerSecondAchieved()).isBetween(0.55 * RATE, 0.75 * RATE);
    }

    @Test
    void shouldKeepWhatWasDueWhenItIsEndedEarly()
    {
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        final LoadOutcome outcome = run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS,
            (timeNs) ->
            {
                if (timeNs >= SECOND_NS / 2)
                {
                    run.agent.requestEnd();
                }
            },
            transport);

        assertThat(outcome.of(Counter.SCHEDULED)).isBetween(400L, 402L);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(outcome.of(Counter.SCHEDULED));
        assertThat(run.responseTimes.getTotalCount()).isEqualTo(outcome.of(Counter.SCHEDULED));
    }

    @Test
    void shouldNotAllocateInSteadyState()
    {
        final long rate = 1_000_000_000L;
        final LoadPlan plan = new LoadPlan(rate, 288, 0, rate, 1, SECOND_NS, SECOND_NS, 1 << 16, Delivery.AT_MOST_ONCE);
        // With a delay and as a system of its own, so that receive lateness and system time are recorded too.
        final Transport transport = new MemoryTransport(SystemNanoClock.INSTANCE, 288, 1, 0, 0, 1)
        {
            @Override
            public boolean isWithinClient()
            {
                return false;
            }
        };
        final LoadAgent agent = new LoadAgent(
            plan, new ConstantSchedule(rate), new Transport[]{ transport }, 1, SystemNanoClock.INSTANCE, null);
        agent.begin(System.nanoTime());
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        doWork(agent, 5_000);

        final long answeredBefore = agent.answeredCount();
        final long before = threads.getThreadAllocatedBytes(threadId);
        doWork(agent, 5_000);
        final long after = threads.getThreadAllocatedBytes(threadId);

        assertThat(agent.answeredCount() - answeredBefore).isGreaterThan(100_000);
        final Histograms times = agent.records.times(true).takeInterval();
        assertThat(times.of(Time.RECEIVE_LATENESS).getTotalCount()).isEqualTo(agent.answeredCount());
        // Reading the counter allocates a little; one byte per message would be 100,000.
        assertThat(after - before).isLessThan(2_000);
    }

    private static void doWork(final LoadAgent agent, final int turnCount)
    {
        for (int i = 0; i < turnCount; i++)
        {
            agent.doWork();
        }
    }

    private LoadOutcome execute(final java.util.function.ObjLongConsumer<ScriptedTransport> script)
    {
        return run.execute(
            PLAN, new ConstantSchedule(RATE), STEP_NS, (timeNs) -> { }, new ScriptedTransport(run, script));
    }
}
