package io.clusterecho.client.transport.cluster;

import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.Header;
import io.aeron.security.AuthenticationException;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.settings.Quantity;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * One session with an Aeron Cluster. It follows a new leader, and opens a new session when its own is lost; what was sent
 * but not answered then is the caller's to know.
 */
public final class ClusterTransport implements Transport
{
    private static final long KEEP_ALIVE_INTERVAL_NS = 1_000_000_000L;
    private static final long ATTEMPT_TIMEOUT_NS = 5_000_000_000L;
    private static final long RETRY_DELAY_NS = 100_000_000L;

    private final SessionSource source;
    private final ClusterAddress address;
    private final NanoClock clock;
    private final boolean isDriving;
    private final BufferClaim claim = new BufferClaim();
    private final EgressListener listener = new Listener();

    private SessionAttempt attempt;
    private Session session;
    private AeronException lastFailure;
    private ResponseHandler handler;
    private long nextAttemptNs;
    private long nextKeepAliveNs;
    private int leaderMemberId = -1;
    private long leadershipTermId = -1;
    private long announcedTermId = -1;
    private boolean isLost;

    /**
     * A session that is not open.
     *
     * @param source    of sessions.
     * @param address   of the cluster.
     * @param clock     by which everything here is timed, in ns.
     * @param isDriving whether to poll this transport carries driver and client conductor.
     */
    ClusterTransport(
        final SessionSource source, final ClusterAddress address, final NanoClock clock, final boolean isDriving)
    {
        this.source = source;
        this.address = address;
        this.clock = clock;
        this.isDriving = isDriving;
        nextAttemptNs = clock.nanoTime();
        nextKeepAliveNs = nextAttemptNs;
    }

    @Override
    public void connect(final long timeoutNs)
    {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        while (null == session)
        {
            source.drive();
            final long nowNs = clock.nanoTime();
            advanceConnecting(nowNs, Math.min(ATTEMPT_TIMEOUT_NS, Math.max(1, deadlineNs - nowNs)));
            if (null == session && (nowNs - deadlineNs >= 0 || Thread.currentThread().isInterrupted() ||
                lastFailure instanceof AuthenticationException))
            {
                CloseHelper.quietClose(attempt);
                attempt = null;
                throw new NotConnectedException(
                    "no session with the cluster at " + address.ingressEndpoints() + " within " +
                    Quantity.formatNs(timeoutNs) + ": " + reason() +
                    "; is it running, has it a leader and a quorum, and are these its ingress endpoints?",
                    lastFailure);
            }
            Thread.yield();
        }
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        if (null == session)
        {
            return SendResult.DISCONNECTED;
        }

        final long result;
        if (length + AeronCluster.SESSION_HEADER_LENGTH <= session.maxPayloadLength())
        {
            result = session.tryClaim(length, claim);
            if (result > 0)
            {
                claim.buffer().putBytes(claim.offset() + AeronCluster.SESSION_HEADER_LENGTH, message, offset, length);
                claim.commit();
            }
        }
        else
        {
            result = session.offer(message, offset, length);
        }

        if (result > 0)
        {
            return SendResult.SENT;
        }

        return Publication.BACK_PRESSURED == result || Publication.ADMIN_ACTION == result ?
            SendResult.BACK_PRESSURED : SendResult.DISCONNECTED;
    }

    @Override
    public int poll(final ResponseHandler responseHandler, final int limit)
    {
        int workCount = isDriving ? source.drive() : 0;
        handler = responseHandler;

        if (null == session)
        {
            advanceConnecting(clock.nanoTime(), ATTEMPT_TIMEOUT_NS);
            return workCount;
        }

        try
        {
            workCount += session.pollEgress();
        }
        catch (final TimeoutException ex)
        {
            // The new leader was announced but could not be reached in time: a new session will find whoever leads then.
            lose(ex);
            return workCount;
        }

        if (session.isClosed())
        {
            lose(null);
            return workCount;
        }

        return workCount + announceChanges() + keepAlive();
    }

    @Override
    public boolean isConnected()
    {
        return null != session && session.isConnected();
    }

    @Override
    public int replyTemplateId()
    {
        return address.isPlain() ? EchoRequestDecoder.TEMPLATE_ID : EchoResponseDecoder.TEMPLATE_ID;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(attempt);
        attempt = null;
        CloseHelper.quietClose(session);
        session = null;
        if (isDriving)
        {
            // The request to end the session stands in a buffer: without threads of its own the driver sends it here.
            for (int i = 0; i < 10; i++)
            {
                source.drive();
            }
        }
    }

    private int keepAlive()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - nextKeepAliveNs < 0)
        {
            return 0;
        }

        nextKeepAliveNs = nowNs + KEEP_ALIVE_INTERVAL_NS;
        return session.sendKeepAlive() ? 1 : 0;
    }

    private void lose(final AeronException reason)
    {
        lastFailure = reason;
        CloseHelper.quietClose(session);
        session = null;
        nextAttemptNs = clock.nanoTime();
        isLost = true;
    }

    private void advanceConnecting(final long nowNs, final long attemptTimeoutNs)
    {
        try
        {
            if (null == attempt)
            {
                if (nowNs - nextAttemptNs < 0)
                {
                    return;
                }
                attempt = source.begin(attemptTimeoutNs, listener);
            }

            session = attempt.poll();
            if (null != session)
            {
                attempt = null;
                lastFailure = null;
                // The session has that of its attempt, of which there may have been little left.
                session.messageTimeoutNs(ATTEMPT_TIMEOUT_NS);
                onLeader(session.leaderMemberId(), session.leadershipTermId());
            }
        }
        catch (final AeronException ex)
        {
            lastFailure = ex;
            CloseHelper.quietClose(attempt);
            attempt = null;
            nextAttemptNs = nowNs + RETRY_DELAY_NS;
        }
    }

    private void onLeader(final int memberId, final long termId)
    {
        leaderMemberId = memberId;
        leadershipTermId = termId;
    }

    private int announceChanges()
    {
        if (isLost)
        {
            isLost = false;
            handler.onReconnected();
        }
        if (announcedTermId == leadershipTermId)
        {
            return 0;
        }

        announcedTermId = leadershipTermId;
        handler.onNewLeader(leaderMemberId, leadershipTermId);
        return 1;
    }

    private String reason()
    {
        return null == lastFailure ? "no answer" : lastFailure.getMessage();
    }

    private final class Listener implements EgressListener
    {
        @Override
        public void onMessage(
            final long clusterSessionId,
            final long timestamp,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final Header header)
        {
            handler.onResponse(buffer, offset, length, clock.nanoTime());
        }

        @Override
        public void onNewLeader(
            final long clusterSessionId,
            final long termId,
            final int memberId,
            final String ingressEndpoints)
        {
            onLeader(memberId, termId);
        }
    }
}
