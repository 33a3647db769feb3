package io.clusterecho.client.transport.cluster;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ClusterException;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.DirectBuffer;

/** A session with Aeron Cluster. */
final class AeronSession implements Session
{
    private final AeronCluster cluster;

    AeronSession(final AeronCluster cluster)
    {
        this.cluster = cluster;
    }

    @Override
    public int maxPayloadLength()
    {
        return cluster.ingressPublication().maxPayloadLength();
    }

    @Override
    public long tryClaim(final int length, final BufferClaim claim)
    {
        return cluster.tryClaim(length, claim);
    }

    @Override
    public long offer(final DirectBuffer message, final int offset, final int length)
    {
        return cluster.offer(message, offset, length);
    }

    @Override
    public int pollEgress()
    {
        return cluster.pollEgress();
    }

    @Override
    public boolean sendKeepAlive()
    {
        return cluster.sendKeepAlive();
    }

    @Override
    public boolean isConnected()
    {
        return cluster.ingressPublication().isConnected();
    }

    @Override
    public boolean isClosed()
    {
        return cluster.isClosed();
    }

    @Override
    public void messageTimeoutNs(final long timeoutNs)
    {
        cluster.context().messageTimeoutNs(timeoutNs);
    }

    @Override
    public int leaderMemberId()
    {
        return cluster.leaderMemberId();
    }

    @Override
    public long leadershipTermId()
    {
        return cluster.leadershipTermId();
    }

    @Override
    public void close()
    {
        cluster.close();
    }

    /** An attempt to open a session. */
    static final class Attempt implements SessionAttempt
    {
        private final AeronCluster.AsyncConnect connect;

        Attempt(final AeronCluster.AsyncConnect connect)
        {
            this.connect = connect;
        }

        @Override
        public Session poll()
        {
            try
            {
                final AeronCluster cluster = connect.poll();
                return null == cluster ? null : new AeronSession(cluster);
            }
            catch (final AeronException ex)
            {
                throw ex;
            }
            catch (final RuntimeException ex)
            {
                // AsyncConnect trusts what answers its request, such as a redirect to a member that the answer does not list.
                throw new ClusterException("the answer to the request for a session cannot be used: " + ex, ex);
            }
        }

        @Override
        public boolean isRequested()
        {
            return connect.state().compareTo(AeronCluster.AsyncConnect.State.SEND_MESSAGE) >= 0;
        }

        @Override
        public void close()
        {
            connect.close();
        }
    }
}
