package io.clusterecho.client.transport.cluster;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.client.EgressListener;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.DirectBuffer;

/** Source of a transport's sessions. Used by one thread. */
public interface SessionSource
{
    /** Begin to open a session; the attempt is polled until it succeeds or fails. */
    Attempt begin(long timeoutNs, EgressListener listener);

    /** One duty cycle of driver and client conductor, if they have no threads of their own. */
    int drive();

    /**
     * Whether it can open no more sessions, because its Aeron client has ended: the driver is gone, or the process had no
     * processor time for longer than the client's liveness timeout.
     */
    boolean isClosed();

    /** An attempt to open a session, which tests replace. Used by one thread. */
    class Attempt implements AutoCloseable
    {
        private final AeronCluster.AsyncConnect connect;

        protected Attempt(final AeronCluster.AsyncConnect connect)
        {
            this.connect = connect;
        }

        /**
         * Advance the attempt.
         *
         * @return the open session, after which this attempt owns nothing, or null if it is not open yet.
         * @throws AeronException if it failed, timed out or was rejected; then it must be closed.
         */
        public Session poll()
        {
            try
            {
                final AeronCluster cluster = connect.poll();
                return null == cluster ? null : new Session(cluster);
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

        /** Whether the request was sent, so that the cluster may have opened a session that is not known here yet. */
        public boolean isRequested()
        {
            return connect.state().compareTo(AeronCluster.AsyncConnect.State.SEND_MESSAGE) >= 0;
        }

        /** Release everything, unless the session is open. */
        @Override
        public void close()
        {
            connect.close();
        }
    }

    /** An open session with a cluster: what a transport uses of {@link AeronCluster}, which tests replace. Used by one thread. */
    class Session implements AutoCloseable
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

        public long id()
        {
            return cluster.clusterSessionId();
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
}
