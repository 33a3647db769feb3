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

/**
 * One session with an Aeron Cluster. It follows a new leader, and opens a new session when its own is lost; what was sent
 * but not answered then is the caller's to know.
 */
public final class ClusterTransport implements Transport
{
    private static final long KEEP_ALIVE_INTERVAL_NS = 1_000_000_000L;
    private static final long ATTEMPT_TIMEOUT_NS = 5_000_000_000L;
    private static final long RETRY_DELAY_NS = 100_000_000L;

    private final ClusterConnector connector;
    private final boolean isDriving;
    private final BufferClaim claim = new BufferClaim();
    private final EgressListener listener = new Listener();

    private AeronCluster.AsyncConnect connecting;
    private AeronCluster cluster;
    private AeronException lastFailure;
    private ResponseHandler handler;
    private long nextAttemptNs = System.nanoTime();
    private long nextKeepAliveNs = System.nanoTime();
    private int leaderMemberId = -1;
    private long leadershipTermId = -1;
    private long announcedTermId = -1;
    private boolean isLost;

    ClusterTransport(final ClusterConnector connector, final boolean isDriving)
    {
        this.connector = connector;
        this.isDriving = isDriving;
    }

    @Override
    public void connect(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (null == cluster)
        {
            connector.drive();
            final long nowNs = System.nanoTime();
            advanceConnecting(nowNs, Math.min(ATTEMPT_TIMEOUT_NS, Math.max(1, deadlineNs - nowNs)));
            if (null == cluster && (nowNs - deadlineNs >= 0 || Thread.currentThread().isInterrupted() ||
                lastFailure instanceof AuthenticationException))
            {
                CloseHelper.quietClose(connecting);
                connecting = null;
                throw new NotConnectedException(
                    "no session with the cluster at " + connector.address().ingressEndpoints() + " within " +
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
        final AeronCluster session = cluster;
        if (null == session)
        {
            return SendResult.DISCONNECTED;
        }

        final long result;
        if (length + AeronCluster.SESSION_HEADER_LENGTH <= session.ingressPublication().maxPayloadLength())
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
        int workCount = isDriving ? connector.drive() : 0;
        handler = responseHandler;

        if (null == cluster)
        {
            advanceConnecting(System.nanoTime(), ATTEMPT_TIMEOUT_NS);
            return workCount;
        }

        try
        {
            workCount += cluster.pollEgress();
        }
        catch (final TimeoutException ex)
        {
            // The new leader was announced but could not be reached in time: a new session will find whoever leads then.
            lose(ex);
            return workCount;
        }

        if (cluster.isClosed())
        {
            lose(null);
            return workCount;
        }

        return workCount + announceChanges() + keepAlive();
    }

    @Override
    public boolean isConnected()
    {
        return null != cluster && cluster.ingressPublication().isConnected();
    }

    @Override
    public int replyTemplateId()
    {
        return connector.address().isPlain() ? EchoRequestDecoder.TEMPLATE_ID : EchoResponseDecoder.TEMPLATE_ID;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(connecting);
        connecting = null;
        CloseHelper.quietClose(cluster);
        cluster = null;
        if (isDriving)
        {
            // The request to end the session stands in a buffer: without threads of its own the driver sends it here.
            for (int i = 0; i < 10; i++)
            {
                connector.drive();
            }
        }
    }

    private int keepAlive()
    {
        final long nowNs = System.nanoTime();
        if (nowNs - nextKeepAliveNs < 0)
        {
            return 0;
        }

        nextKeepAliveNs = nowNs + KEEP_ALIVE_INTERVAL_NS;
        return cluster.sendKeepAlive() ? 1 : 0;
    }

    private void lose(final AeronException reason)
    {
        lastFailure = reason;
        CloseHelper.quietClose(cluster);
        cluster = null;
        nextAttemptNs = System.nanoTime();
        isLost = true;
    }

    private void advanceConnecting(final long nowNs, final long attemptTimeoutNs)
    {
        try
        {
            if (null == connecting)
            {
                if (nowNs - nextAttemptNs < 0)
                {
                    return;
                }
                connecting = AeronCluster.asyncConnect(connector.newContext(attemptTimeoutNs)
                    .newLeaderTimeoutNs(connector.address().newLeaderTimeoutNs())
                    .egressListener(listener));
            }

            cluster = connecting.poll();
            if (null != cluster)
            {
                connecting = null;
                lastFailure = null;
                onLeader(cluster.leaderMemberId(), cluster.leadershipTermId());
            }
        }
        catch (final AeronException ex)
        {
            lastFailure = ex;
            CloseHelper.quietClose(connecting);
            connecting = null;
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
            handler.onResponse(buffer, offset, length, System.nanoTime());
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
