package io.clusterecho.client.churn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.client.EgressListener;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.RegistrationException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.ErrorCode;
import io.aeron.Publication;
import io.aeron.security.AuthenticationException;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.clusterecho.client.transport.cluster.SessionSource;
import io.clusterecho.client.transport.cluster.SessionSource.Attempt;
import io.clusterecho.client.transport.cluster.SessionSource.Session;
import io.clusterecho.reporting.measurement.ChurnCounter;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;

class ChurnAgentTest
{
    private static final long MS = 1_000_000L;
    private static final long TIMEOUT_NS = 1_000 * MS;
    private static final long START_NS = 7_000 * MS;

    private final Source source = new Source();
    private ChurnAgent made;
    private long nowNs = START_NS;

    @AfterEach
    void shouldAccountForEachSessionThatWasDue()
    {
        assertThat(value(ChurnCounter.DUE)).isEqualTo(sum(
            ChurnCounter.CONNECTED, ChurnCounter.REFUSED_LIMIT, ChurnCounter.REFUSED_OTHER, ChurnCounter.TIMED_OUT_UNREACHED,
            ChurnCounter.TIMED_OUT_UNANSWERED, ChurnCounter.FAILED, ChurnCounter.NOT_ATTEMPTED,
            ChurnCounter.IN_PROGRESS, ChurnCounter.NOT_BEGUN));
        assertThat(value(ChurnCounter.CONNECTED)).isEqualTo(sum(
            ChurnCounter.CLOSED, ChurnCounter.LOST, ChurnCounter.UNANSWERED, ChurnCounter.OPEN));
    }

    @Test
    void shouldCloseEachSessionAfterItsReply()
    {
        final ChurnAgent agent = agent(10, 1_000);
        agent.begin(START_NS);
        run(agent, 1_500);

        assertThat(value(ChurnCounter.DUE)).isEqualTo(10);
        assertThat(value(ChurnCounter.CLOSED)).isEqualTo(10);
        assertThat(source.sessions).hasSize(10).allSatisfy((session) ->
        {
            assertThat(session.isClosed).isTrue();
            assertThat(session.sentCount).isEqualTo(1);
        });
        assertThat(source.sessions.stream().mapToLong((session) -> session.clientId).distinct().count())
            .as("a client id is used again").isEqualTo(1);
        assertThat(source.sessions.get(9).lastSequence).as("its sequence continues").isEqualTo(9);
        assertThat(agent.isDrained()).isTrue();
    }

    @Test
    void shouldMeasureTheTimeToConnectFromWhenTheSessionWasDue()
    {
        final ChurnAgent agent = agent(10, 100);
        source.connectNs = 30 * MS;
        agent.begin(START_NS);
        nowNs += 500 * MS;
        run(agent, 100);

        final Histogram times = TimeRecorder.newHistogram();
        agent.connectTimes(times);
        assertThat(times.getTotalCount()).isEqualTo(1);
        assertThat(times.valuesAreEquivalent(times.getMaxValue(), 531 * MS)).as("%s", times.getMaxValue()).isTrue();
    }

    @Test
    void shouldCountWhyAnAttemptFailed()
    {
        final ChurnAgent agent = agent(10, 700);
        source.failures.addAll(List.of(
            new ClusterException("ERROR - concurrent session limit"), new ClusterException("ERROR - invalid client version"),
            new AuthenticationException("no"), new TimeoutException("state=AWAIT_PUBLICATION_CONNECTED"),
            new TimeoutException("state=POLL_RESPONSE"), new RegistrationException(1, 0, ErrorCode.STORAGE_SPACE, "no room")));
        source.requestedFrom = 4;
        agent.begin(START_NS);
        run(agent, 1_000);

        assertThat(value(ChurnCounter.REFUSED_LIMIT)).isEqualTo(1);
        assertThat(value(ChurnCounter.REFUSED_OTHER)).isEqualTo(2);
        assertThat(value(ChurnCounter.TIMED_OUT_UNREACHED)).isEqualTo(1);
        assertThat(value(ChurnCounter.TIMED_OUT_UNANSWERED)).isEqualTo(1);
        assertThat(value(ChurnCounter.FAILED)).isEqualTo(1);
        assertThat(value(ChurnCounter.CLOSED)).isEqualTo(1);
    }

    @Test
    void shouldGiveUpAReplyThatDoesNotCome()
    {
        final ChurnAgent agent = agent(10, 200);
        source.isAnswering = false;
        agent.begin(START_NS);
        run(agent, 900);
        assertThat(value(ChurnCounter.OPEN)).isEqualTo(2);
        source.sessions.get(1).isTimedOut = true;
        run(agent, 300);

        assertThat(value(ChurnCounter.UNANSWERED)).isEqualTo(1);
        assertThat(value(ChurnCounter.LOST)).isEqualTo(1);
        assertThat(source.sessions).allMatch((session) -> session.isClosed);
    }

    @Test
    void shouldSendOnlyWhatTheIngressAccepts()
    {
        final ChurnAgent agent = agent(10, 100);
        source.isAccepting = false;
        agent.begin(START_NS);
        run(agent, 500);
        assertThat(value(ChurnCounter.OPEN)).isEqualTo(1);
        source.isAccepting = true;
        run(agent, 10);

        assertThat(value(ChurnCounter.CLOSED)).isEqualTo(1);
    }

    @Test
    void shouldOpenNoMoreAfterARequestToEnd()
    {
        final ChurnAgent agent = agent(10, 1_000);
        source.connectNs = 200 * MS;
        agent.begin(START_NS);
        run(agent, 450);
        agent.requestEnd();
        run(agent, 50);
        assertThat(value(ChurnCounter.DUE)).isEqualTo(5);
        assertThat(value(ChurnCounter.IN_PROGRESS)).isPositive();
        assertThat(agent.isDrained()).isFalse();
        run(agent, 800);

        assertThat(value(ChurnCounter.DUE)).isEqualTo(5);
        assertThat(value(ChurnCounter.CLOSED)).isEqualTo(5);
    }

    @Test
    void shouldEndBehindTheLastSessionThatHasBegun()
    {
        final ChurnAgent agent = agent(1_000, 1_000);
        agent.begin(START_NS);
        run(agent, 10);
        // The thread that asks for the end has read the clock before the agent began the last ones.
        nowNs -= 5 * MS;
        agent.requestEnd();
        nowNs += 5 * MS;
        run(agent, 3);

        assertThat(value(ChurnCounter.NOT_BEGUN)).isBetween(0L, 1L);
        assertThat(value(ChurnCounter.DUE)).as("the first duty cycle after the request").isEqualTo(12);
    }

    @Test
    void shouldCountThoseForWhichItIsTooLate()
    {
        final ChurnAgent agent = agent(1_000, 100);
        agent.begin(START_NS);
        nowNs += 200 * MS;
        agent.doWork();

        assertThat(value(ChurnCounter.DUE)).isEqualTo(100);
        assertThat(value(ChurnCounter.NOT_BEGUN)).isEqualTo(84);
    }

    @Test
    void shouldBoundTheAttemptsAndGiveUpThoseThatWaitForLongerThanATimeout()
    {
        final ChurnAgent agent = agent(100, 2_000);
        source.connectNs = 800 * MS;
        agent.begin(START_NS);
        run(agent, 790);
        assertThat(value(ChurnCounter.IN_PROGRESS)).as("32 at a time, of 79 that are due").isEqualTo(32);
        assertThat(value(ChurnCounter.NOT_BEGUN)).isPositive();
        assertThat(value(ChurnCounter.NOT_ATTEMPTED)).isZero();

        run(agent, 4_000);
        assertThat(value(ChurnCounter.DUE)).isEqualTo(200);
        assertThat(value(ChurnCounter.NOT_ATTEMPTED)).isPositive();
        assertThat(value(ChurnCounter.NOT_BEGUN)).isZero();
        assertThat(value(ChurnCounter.CLOSED)).isEqualTo(200 - value(ChurnCounter.NOT_ATTEMPTED));
    }

    @Test
    void shouldCloseEverythingAtTheEnd()
    {
        final ChurnAgent agent = agent(10, 1_000);
        source.isAnswering = false;
        agent.begin(START_NS);
        run(agent, 450);
        agent.close();

        assertThat(source.sessions).hasSize(5).allMatch((session) -> session.isClosed);
        assertThat(value(ChurnCounter.OPEN)).as("the accounts stay").isEqualTo(5);
    }

    private ChurnAgent agent(final long rate, final long windowMs)
    {
        made = new ChurnAgent(new ChurnPlan(rate, 0, windowMs * MS, 0), source, () -> nowNs, TIMEOUT_NS, 42);
        return made;
    }

    private void run(final ChurnAgent agent, final long timeMs)
    {
        for (int i = 0; i < timeMs; i++)
        {
            nowNs += MS;
            agent.doWork();
        }
    }

    private long value(final ChurnCounter counter)
    {
        return made.value(counter);
    }

    private long sum(final ChurnCounter... counters)
    {
        return Stream.of(counters).mapToLong(this::value).sum();
    }

    private final class Source implements SessionSource
    {
        private final List<EchoSession> sessions = new ArrayList<>();
        private final List<AeronException> failures = new ArrayList<>();
        private boolean isAnswering = true;
        private boolean isAccepting = true;
        private long connectNs;
        private int begunCount;
        /** Number of the first attempt that is polled after its request; the ones before it too, but the fourth. */
        private int requestedFrom;

        @Override
        public Attempt begin(final long timeoutNs, final EgressListener listener)
        {
            final long beginNs = nowNs;
            final boolean isRequested = begunCount >= requestedFrom || begunCount < 3;
            begunCount++;
            return new Attempt(null)
            {
                @Override
                public Session poll()
                {
                    if (!failures.isEmpty())
                    {
                        throw failures.remove(0);
                    }
                    if (nowNs - beginNs < connectNs)
                    {
                        return null;
                    }
                    final EchoSession session = new EchoSession(listener);
                    sessions.add(session);
                    return session;
                }

                @Override
                public boolean isRequested()
                {
                    return isRequested;
                }

                @Override
                public void close()
                {
                    // Owns nothing.
                }
            };
        }

        @Override
        public int drive()
        {
            return 0;
        }

        @Override
        public boolean isClosed()
        {
            return false;
        }
    }

    /** Answers each message with the next poll. */
    private final class EchoSession extends Session
    {
        private final EgressListener listener;
        private final UnsafeBuffer reply = new UnsafeBuffer(new byte[64]);
        private int replyLength;
        private int sentCount;
        private long clientId;
        private long lastSequence;
        private boolean isClosed;
        private boolean isTimedOut;

        private EchoSession(final EgressListener listener)
        {
            super(null);
            this.listener = listener;
        }

        @Override
        public int maxPayloadLength()
        {
            return 1024;
        }

        @Override
        public long tryClaim(final int length, final BufferClaim claim)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public long offer(final DirectBuffer message, final int offset, final int length)
        {
            if (!source.isAccepting)
            {
                return Publication.NOT_CONNECTED;
            }
            reply.putBytes(0, message, offset, length);
            replyLength = length;
            clientId = EchoMessage.clientId(message, offset);
            lastSequence = EchoMessage.sequence(message, offset);
            return ++sentCount;
        }

        @Override
        public int pollEgress()
        {
            if (0 == replyLength || !source.isAnswering)
            {
                return 0;
            }
            final int length = replyLength;
            replyLength = 0;
            listener.onMessage(1, 0, reply, 0, length, null);
            return 1;
        }

        @Override
        public boolean sendKeepAlive()
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isConnected()
        {
            return true;
        }

        @Override
        public boolean isClosed()
        {
            return isClosed || isTimedOut;
        }

        @Override
        public void messageTimeoutNs(final long timeoutNs)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public int leaderMemberId()
        {
            return 0;
        }

        @Override
        public long leadershipTermId()
        {
            return 0;
        }

        @Override
        public void close()
        {
            isClosed = true;
        }
    }
}
