package io.clusterecho.client.transport.cluster;

import io.aeron.logbuffer.BufferClaim;

import org.agrona.DirectBuffer;

/**
 * An open session with a cluster: the part of {@link io.aeron.cluster.client.AeronCluster} that a transport uses. Used by one
 * thread.
 */
public interface Session extends AutoCloseable
{
    /** Longest ingress message that fits into one fragment, including the session header, in bytes. */
    int maxPayloadLength();

    /** As {@link io.aeron.cluster.client.AeronCluster#tryClaim(int, BufferClaim)}. */
    long tryClaim(int length, BufferClaim claim);

    /** As {@link io.aeron.cluster.client.AeronCluster#offer(DirectBuffer, int, int)}. */
    long offer(DirectBuffer message, int offset, int length);

    /**
     * Receive messages and follow changes of leader.
     *
     * @throws io.aeron.exceptions.TimeoutException if a new leader was announced but its publication was not added in time.
     */
    int pollEgress();

    boolean sendKeepAlive();

    /** Whether the leader's ingress is reachable. */
    boolean isConnected();

    /** Whether the cluster closed the session, or no new leader was announced in time. */
    boolean isClosed();

    /** Timeout for connecting to an announced leader, in ns. */
    void messageTimeoutNs(long timeoutNs);

    int leaderMemberId();

    long leadershipTermId();

    /** Release everything, and ask the leader to close the session if it is reachable. */
    @Override
    void close();
}
