package io.clusterecho.client.transport.cluster;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.DirectBuffer;

/** An open session with a cluster: what a transport uses of {@link AeronCluster}, which tests replace. Used by one thread. */
public class Session implements AutoCloseable
{
    private final AeronCluster cluster;

    protected Session(final AeronCluster cluster)
    {
        this.cluster = cluster;
    }

    /** Longest ingress message that fits into one fragment, including the session header, in bytes. */
    public int maxPayloadLength()
    {
        return cluster.ingressPublication().maxPayloadLength();
    }

    public long tryClaim(final int length, final BufferClaim claim)
    {
        return cluster.tryClaim(length, claim);
    }

    public long offer(final DirectBuffer message, final int offset, final int length)
    {
        return cluster.offer(message, offset, length);
    }

    /**
     * Receive messages and follow changes of leader.
     *
     * @throws io.aeron.exceptions.TimeoutException if a new leader was announced but its publication was not added in time.
     */
    public int pollEgress()
    {
        return cluster.pollEgress();
    }

    public boolean sendKeepAlive()
    {
        return cluster.sendKeepAlive();
    }

    /** Whether the leader's ingress is reachable. */
    public boolean isConnected()
    {
        return cluster.ingressPublication().isConnected();
    }

    /** Whether the cluster closed the session, or no new leader was announced in time. */
    public boolean isClosed()
    {
        return cluster.isClosed();
    }

    /** Timeout for connecting to an announced leader, in ns. */
    public void messageTimeoutNs(final long timeoutNs)
    {
        cluster.context().messageTimeoutNs(timeoutNs);
    }

    public int leaderMemberId()
    {
        return cluster.leaderMemberId();
    }

    public long leadershipTermId()
    {
        return cluster.leadershipTermId();
    }

    /** Release everything, and ask the leader to close the session if it is reachable. */
    @Override
    public void close()
    {
        cluster.close();
    }
}
