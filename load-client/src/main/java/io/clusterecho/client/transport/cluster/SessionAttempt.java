package io.clusterecho.client.transport.cluster;

/** An attempt to open a session. Used by one thread. */
public interface SessionAttempt extends AutoCloseable
{
    /**
     * Advance the attempt.
     *
     * @return the open session, after which this attempt owns nothing, or null if it is not open yet.
     * @throws io.aeron.exceptions.AeronException if it failed, timed out or was rejected; then it must be closed.
     */
    Session poll();

    /** Whether the request was sent, so that the cluster may have opened a session that is not known here yet. */
    boolean isRequested();

    /** Release everything, unless the session is open. */
    @Override
    void close();
}
