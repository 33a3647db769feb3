package io.clusterecho.client.transport.cluster;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.client.transport.cluster.SessionSource.Attempt;
import io.clusterecho.client.transport.cluster.SessionSource.Session;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A cluster and a clock that only the test advances. Attempts and sessions are kept in the order in which they began, so that a
 * test can find those left open.
 */
final class FakeCluster implements SessionSource, NanoClock
{
    static final int MAX_PAYLOAD_LENGTH = 1344;

    final List<FakeAttempt> attempts = new ArrayList<>();
    final List<FakeSession> sessions = new ArrayList<>();
    /** Called with each attempt when it begins; may throw. */
    Consumer<FakeAttempt> onBegin = (attempt) -> { };
    /** How far the clock advances at each duty cycle of the driver. */
    long driveNs;
    boolean isClosed;
    int driveCount;
    int clockReads;
    private long nowNs;

    @Override
    public boolean isClosed()
    {
        return isClosed;
    }

    @Override
    public Attempt begin(final long timeoutNs, final EgressListener listener)
    {
        final FakeAttempt attempt = new FakeAttempt(timeoutNs, listener);
        onBegin.accept(attempt);
        attempts.add(attempt);
        return attempt;
    }

    @Override
    public int drive()
    {
        driveCount++;
        nowNs += driveNs;
        return 1;
    }

    @Override
    public long nanoTime()
    {
        clockReads++;
        return nowNs;
    }

    void advance(final long byNs)
    {
        nowNs += byNs;
    }

    long nowNs()
    {
        return nowNs;
    }

    FakeAttempt lastAttempt()
    {
        return attempts.get(attempts.size() - 1);
    }

    /** Attempts and sessions that were not closed. */
    int openCount()
    {
        return (int)(attempts.stream().filter((attempt) -> !attempt.isOver).count() +
            sessions.stream().filter((session) -> !session.isReleased).count());
    }

    /** An attempt that succeeds or fails at its next poll, as the test requires. */
    final class FakeAttempt extends Attempt
    {
        final long timeoutNs;
        boolean isRequested;
        private final EgressListener listener;
        private final long deadlineNs;
        private FakeSession opened;
        private AeronException failure;
        private boolean isOver;

        private FakeAttempt(final long timeoutNs, final EgressListener listener)
        {
            super(null);
            this.timeoutNs = timeoutNs;
            this.listener = listener;
            deadlineNs = nowNs + timeoutNs;
        }

        FakeSession succeed(final int leaderMemberId, final long leadershipTermId)
        {
            opened = new FakeSession(listener, leaderMemberId, leadershipTermId);
            opened.messageTimeoutNs = timeoutNs;
            return opened;
        }

        void fail(final AeronException newFailure)
        {
            failure = newFailure;
        }

        boolean isOver()
        {
            return isOver;
        }

        @Override
        public Session poll()
        {
            if (isOver)
            {
                throw new IllegalStateException("polled when it was over");
            }
            if (Thread.currentThread().isInterrupted())
            {
                throw new AeronException("unexpected interrupt");
            }
            if (null != failure)
            {
                throw failure;
            }
            if (null == opened && nowNs - deadlineNs > 0)
            {
                throw new TimeoutException(
                    "cluster connect timeout: state=AWAIT_PUBLICATION_CONNECTED messageTimeout=5s ingressChannel=aeron:udp");
            }
            if (null != opened)
            {
                isOver = true;
                sessions.add(opened);
            }
            return opened;
        }

        @Override
        public boolean isRequested()
        {
            return isRequested;
        }

        @Override
        public void close()
        {
            isOver = true;
        }
    }

    /** A session under control of the test. */
    static final class FakeSession extends Session
    {
        final List<String> sent = new ArrayList<>();
        /** Executed by the next polls, one each. */
        final Deque<Runnable> egress = new ArrayDeque<>();
        long id = 1;
        long leadershipTermId;
        int leaderMemberId;
        long sendResult = 1;
        /** Timeout of the attempt, as with an AeronCluster, until changed. */
        long messageTimeoutNs;
        int keepAliveCount;
        boolean isConnected = true;
        boolean isClosed;
        boolean isRecording = true;
        /** Fragments that a poll takes and hands to nobody. */
        int ignoredFragmentCount;
        private final EgressListener listener;
        private final UnsafeBuffer term = new UnsafeBuffer(new byte[64 * 1024]);
        private boolean isReleased;
        private long stampNs;

        private FakeSession(final EgressListener listener, final int leaderMemberId, final long leadershipTermId)
        {
            super(null);
            this.listener = listener;
            this.leaderMemberId = leaderMemberId;
            this.leadershipTermId = leadershipTermId;
        }

        void reply(final String text)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
            final Header header = header();
            egress.add(() -> listener.onMessage(1, 0, buffer, 0, buffer.capacity(), header));
        }

        /** A reply whose frame the driver stamped. */
        void reply(final String text, final long arrivalNs)
        {
            stampNs = arrivalNs;
            reply(text);
        }

        private Header header()
        {
            final UnsafeBuffer frame = new UnsafeBuffer(new byte[DataHeaderFlyweight.HEADER_LENGTH]);
            frame.putLong(DataHeaderFlyweight.RESERVED_VALUE_OFFSET, stampNs, ByteOrder.LITTLE_ENDIAN);
            return new Header(0, 0).buffer(frame).offset(0);
        }

        void announceLeader(final int newLeaderMemberId, final long newLeadershipTermId)
        {
            egress.add(() ->
            {
                leaderMemberId = newLeaderMemberId;
                leadershipTermId = newLeadershipTermId;
                listener.onNewLeader(1, newLeadershipTermId, newLeaderMemberId, "");
            });
        }

        boolean isReleased()
        {
            return isReleased;
        }

        /** Content of the last claim. */
        String claimed(final int length)
        {
            return term.getStringWithoutLengthAscii(
                DataHeaderFlyweight.HEADER_LENGTH + AeronCluster.SESSION_HEADER_LENGTH, length);
        }

        private void record(final String what, final int length)
        {
            if (isRecording)
            {
                sent.add(what + length);
            }
        }

        @Override
        public long id()
        {
            return id;
        }

        @Override
        public int maxPayloadLength()
        {
            return MAX_PAYLOAD_LENGTH;
        }

        @Override
        public long tryClaim(final int length, final BufferClaim claim)
        {
            if (sendResult > 0)
            {
                claim.wrap(term, 0, DataHeaderFlyweight.HEADER_LENGTH + AeronCluster.SESSION_HEADER_LENGTH + length);
                record("claimed ", length);
            }
            return sendResult;
        }

        @Override
        public long offer(final DirectBuffer message, final int offset, final int length)
        {
            if (sendResult > 0)
            {
                record("offered ", length);
            }
            return sendResult;
        }

        @Override
        public int pollEgress()
        {
            final Runnable next = egress.poll();
            if (null != next)
            {
                next.run();
            }
            return null == next ? ignoredFragmentCount : 1;
        }

        @Override
        public boolean sendKeepAlive()
        {
            keepAliveCount++;
            return Publication.CLOSED != sendResult;
        }

        @Override
        public boolean isConnected()
        {
            return isConnected;
        }

        @Override
        public boolean isClosed()
        {
            return isClosed;
        }

        @Override
        public void messageTimeoutNs(final long timeoutNs)
        {
            messageTimeoutNs = timeoutNs;
        }

        @Override
        public int leaderMemberId()
        {
            return leaderMemberId;
        }

        @Override
        public long leadershipTermId()
        {
            return leadershipTermId;
        }

        @Override
        public void close()
        {
            isReleased = true;
        }
    }
}
