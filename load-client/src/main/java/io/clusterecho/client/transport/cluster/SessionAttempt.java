package io.clusterecho.client.transport.cluster;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ClusterException;
import io.aeron.exceptions.AeronException;

/** An attempt to open a session, which tests replace. Used by one thread. */
public class SessionAttempt implements AutoCloseable
{
    private final AeronCluster.AsyncConnect connect;

    protected SessionAttempt(final AeronCluster.AsyncConnect connect)
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
