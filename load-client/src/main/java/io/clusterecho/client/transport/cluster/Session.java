package io.clusterecho.client.transport.cluster;

import io.aeron.logbuffer.BufferClaim;

import org.agrona.DirectBuffer;

/**
 * An open session with a cluster: what a transport uses of {@link io.aeron.cluster.client.AeronCluster}. Used by one thread.
 */
interface Session extends AutoCloseable
{
    /**
     * Longest ingress message, session header included, that fits into one fragment, in bytes.
     */
    int maxPayloadLength();

    /**
     * As {@link io.aeron.cluster.client.AeronCluster#tryClaim(int, BufferClaim)}.
     */
    long tryClaim(int length, BufferClaim claim);

    /**
     * As {@link io.aeron.cluster.client.AeronCluster#offer(DirectBuffer, int, int)}.
     */
    long offer(DirectBuffer message, int offset, int length);

    /**
     * Take what has arrived and follow changes of leader.
     *
     * @throws io.aeron.exceptions.TimeoutException if a new leader was announced but its publication was not added in time.
     */
    int pollEgress();

    boolean sendKeepAlive();

    /**
     * Whether the leader's ingress is reached.
     */
    boolean isConnected();

    /**
     * Whether the cluster ended the session, or no new leader was announced in time.
     */
    boolean isClosed();

    /**
     * How long a new leader may take to be connected to, in ns, once it was announced.
     */
    void messageTimeoutNs(long timeoutNs);

    int leaderMemberId();

    long leadershipTermId();

    /**
     * Release everything, and ask the leader to end the session if it is reached.
     */
    @Override
    void close();
}
