package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.clusterecho.client.record.JournalReader;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoadExecutionTest
{
    private static final long RATE = 10_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long FOR_EVER = 3_600 * RATE;

    @TempDir
    private Path folder;

    private final List<String> closed = new ArrayList<>();
    private final ProbedTransport transport = new ProbedTransport();
    private volatile Thread agentThread;

    @Test
    void shouldMeasureAndCloseWhatItOwnsAfterTheAgentHasEnded()
    {
        final LoadExecution execution = execution(RATE / 10);
        execution.add(new Recorder("first"));
        execution.add(new Recorder("second"));
        final LoadResult result = execution.execute(SECOND_NS / 50);
        assertThat(closed).containsExactly("second", "first");
        execution.close();

        assertThat(result.problems()).isEmpty();
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(RATE / 10);
        assertThat(result.measurement().times().of(Time.RESPONSE).getTotalCount()).isEqualTo(RATE / 10);
        assertThat(closed).containsExactly("second", "first", "session");
        assertThat(transport.isClosedUnderAgent).isFalse();
    }

    @Test
    void shouldShowEachTimeInOneInterval()
    {
        final long[] counts = new long[2];
        final long[] answered = new long[2];
        final LoadExecution execution = execution(RATE / 10, RATE / 10);
        execution.add((interval) ->
        {
            counts[0] += interval.warmUpResponseTimes().getTotalCount();
            counts[1] += interval.times().of(Time.RESPONSE).getTotalCount();
            answered[1] = interval.totals().of(Counter.ANSWERED) + interval.totals().of(Counter.LATE);
            answered[0] = interval.totals().of(Counter.ANSWERED_ALL) - answered[1];
        });
        final LoadResult result = execution.execute(SECOND_NS / 100);
        execution.close();

        assertThat(result.problems()).isEmpty();
        // Messages of the warm-up that were not sent by its end, because this machine was busy, are dropped.
        assertThat(answered[0]).isBetween(1L, RATE / 10);
        assertThat(answered[1]).isEqualTo(RATE / 10);
        assertThat(counts).as("warm-up, measured").isEqualTo(answered);
        assertThat(result.measurement().times().of(Time.RESPONSE).getTotalCount()).isEqualTo(RATE / 10);
        assertThat(result.measurement().times().of(Time.SEND_DELAY).getTotalCount()).isEqualTo(RATE / 10);
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenAListenerThrows()
    {
        final LoadExecution execution = execution(RATE / 5);
        final Recorder after = new Recorder("after");
        execution.add((interval) ->
        {
            throw new IllegalStateException("no more paper");
        });
        execution.add(after);
        final LoadResult result = execution.execute(SECOND_NS / 50);
        execution.close();

        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(RATE / 5);
        assertThat(result.problems()).singleElement().asString().contains("no more paper", "was not called again");
        // The other listeners receive every interval.
        assertThat(after.answered).isEqualTo(RATE / 5);
        assertThat(transport.isClosedUnderAgent).isFalse();
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenTheAgentFails()
    {
        transport.failAfter = 500;
        final LoadExecution execution = execution(FOR_EVER);
        final LoadResult result = execution.execute(SECOND_NS / 50);
        execution.close();

        final LoadOutcome outcome = result.measurement().outcome();
        assertThat(result.problems()).singleElement().asString().contains("agent failed", "the wire is cut");
        assertThat(outcome.of(Counter.ANSWERED)).isGreaterThanOrEqualTo(500);
        assertThat(outcome.of(Counter.ANSWERED) + outcome.of(Counter.LATE) +
            outcome.lost()).isEqualTo(outcome.of(Counter.SCHEDULED));
        assertThat(outcome.of(Counter.SCHEDULED)).isLessThan(FOR_EVER);
        assertThat(closed).containsExactly("session");
    }

    @Test
    void shouldReportEvidenceThatIsIncomplete()
    {
        final LoadExecution execution = execution(RATE / 10);
        execution.add(new Recorder("series")
        {
            @Override
            public List<String> problems()
            {
                return List.of(closed.contains("series") ? "series is incomplete" : "asked too early");
            }
        });
        assertThat(execution.execute(SECOND_NS / 50).problems()).containsExactly("series is incomplete");
        execution.close();
    }

    @Test
    void shouldEndTheAgentBeforeItClosesSessionsWhenItsOwnerFails()
    {
        assertThatThrownBy(() ->
        {
            try (LoadExecution execution = execution(FOR_EVER))
            {
                execution.start(SECOND_NS / 50);
                transport.await(transport.polled);
                throw new IllegalStateException("the lab has failed");
            }
        }).hasMessage("the lab has failed");

        assertThat(closed).containsExactly("session");
        assertThat(transport.isClosedUnderAgent).isFalse();
        assertThat(agentThread.isAlive()).isFalse();
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenItsOwnerIsInterrupted()
    {
        final LoadExecution execution = execution(RATE / 10);
        execution.start(SECOND_NS / 50);
        Thread.currentThread().interrupt();
        final LoadResult result = execution.awaitEnd();
        execution.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(RATE / 10);
        assertThat(transport.isClosedUnderAgent).isFalse();
    }

    /** Repeated, since the agent may be at any step when the end is requested. */
    @RepeatedTest(20)
    void shouldEndEarlyWithWhatWasDueSoFar()
    {
        final LoadExecution execution = execution(FOR_EVER);
        execution.start(SECOND_NS / 50);
        transport.await(transport.answered);
        execution.requestEnd();
        final LoadOutcome outcome = execution.awaitEnd().measurement().outcome();
        execution.close();

        assertThat(outcome.lost()).isZero();
        assertThat(outcome.of(Counter.SCHEDULED)).isBetween(1L, FOR_EVER - 1).isEqualTo(outcome.of(Counter.ANSWERED));
    }

    @Test
    void shouldEndAsSoonAsItBeginsWhenThatWasAskedForBefore()
    {
        final LoadExecution execution = execution(FOR_EVER);
        execution.requestEnd();
        assertThat(execution.execute(SECOND_NS / 50).measurement().outcome().of(Counter.SCHEDULED)).isLessThan(FOR_EVER);
        execution.close();
    }

    @Test
    void shouldCloseItsSessionsWhenItNeverBegan()
    {
        execution(RATE).close();
        assertThat(closed).containsExactly("session");
    }

    @Test
    void shouldKeepAWholeJournal()
    {
        final Path file = folder.resolve("journal.bin");
        final LoadExecution execution = execution(RATE / 10);
        execution.journal(file);
        execution.execute(SECOND_NS / 50);
        execution.close();

        final long[] replies = new long[1];
        final JournalReader.Summary summary = JournalReader.read(file, new JournalReader.Handler()
        {
            @Override
            public void onSent(final long clientId, final int sessionId, final long firstSequence, final long count)
            {
                assertThat(count).isPositive();
            }

            @Override
            public void onReply(
                final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
            {
                replies[0]++;
            }
        });
        assertThat(summary.isClosed()).isTrue();
        assertThat(replies[0]).isEqualTo(RATE / 10);
    }

    @Test
    void shouldCloseSessionsThatAreOpenWhenAFurtherOneCannotBeOpened()
    {
        final List<String> events = new ArrayList<>();
        assertThatThrownBy(() -> new Sessions(() -> events.add("shared"))
            .add(transport, SECOND_NS)
            .add(new MemoryTransport(SystemNanoClock.INSTANCE, 288, 0, 0, 0, 1)
            {
                @Override
                public void connect(final long timeoutNs)
                {
                    throw new NotConnectedException("nobody is there", null);
                }

                @Override
                public void close()
                {
                    events.add("second");
                }
            }, SECOND_NS)).isInstanceOf(NotConnectedException.class);

        assertThat(events).containsExactly("second", "shared");
        assertThat(closed).containsExactly("session");
    }

    @Test
    void shouldCloseTheOtherSessionsWhenOneMeetsAFullSharedMemory()
    {
        final List<String> events = new ArrayList<>();
        final Sessions sessions = new Sessions(() -> events.add("shared"))
            .add(transport, SECOND_NS)
            .add(new MemoryTransport(SystemNanoClock.INSTANCE, 288, 0, 0, 0, 1)
            {
                @Override
                public void close()
                {
                    events.add("second");
                    throw new InternalError("a fault occurred in an unsafe memory access operation");
                }
            }, SECOND_NS);
        sessions.close();

        assertThat(events).containsExactly("second", "shared");
        assertThat(closed).containsExactly("session");
    }

    private LoadExecution execution(final long count)
    {
        return execution(0, count);
    }

    private LoadExecution execution(final long warmUpCount, final long count)
    {
        final LoadPlan plan =
            new LoadPlan(RATE, 288, warmUpCount, count, 1, 10 * SECOND_NS, 60 * SECOND_NS, 1 << 16, Delivery.AT_MOST_ONCE);
        return new LoadExecution(
            plan, new ConstantSchedule(RATE), 77, new Sessions(null).add(transport, SECOND_NS), SystemNanoClock.INSTANCE,
            YieldingIdleStrategy.INSTANCE, AgentThreads.anywhere());
    }

    /** Counts its intervals and records when it is closed. */
    private class Recorder implements IntervalListener
    {
        private final String name;
        private long answered;

        private Recorder(final String name)
        {
            this.name = name;
        }

        @Override
        public void onInterval(final RunInterval interval)
        {
            answered += interval.times().of(Time.RESPONSE).getTotalCount();
        }

        @Override
        public List<String> problems()
        {
            return List.of();
        }

        @Override
        public void close()
        {
            closed.add(name);
        }
    }

    /** An echo in memory that can fail, and that detects being closed while a thread uses it. */
    private final class ProbedTransport extends MemoryTransport
    {
        private final AtomicBoolean isClosed = new AtomicBoolean();
        private final CountDownLatch polled = new CountDownLatch(1_000);
        private final CountDownLatch answered = new CountDownLatch(1);
        /** Messages before it fails. */
        private long failAfter = Long.MAX_VALUE;
        private volatile boolean isClosedUnderAgent;

        private ProbedTransport()
        {
            super(SystemNanoClock.INSTANCE, 288, 100_000, 0, 0, 1);
        }

        private void await(final CountDownLatch latch)
        {
            try
            {
                latch.await();
            }
            catch (final InterruptedException ex)
            {
                throw new IllegalStateException(ex);
            }
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            agentThread = Thread.currentThread();
            isClosedUnderAgent |= isClosed.get();
            polled.countDown();
            if (failAfter <= 0)
            {
                throw new IllegalStateException("the wire is cut");
            }
            final int count = super.poll(handler, limit);
            if (count > 0)
            {
                answered.countDown();
            }
            failAfter -= count;
            return count;
        }

        @Override
        public void close()
        {
            isClosedUnderAgent |= null != agentThread && agentThread.isAlive() && agentThread != Thread.currentThread();
            isClosed.set(true);
            closed.add("session");
            super.close();
        }
    }
}
