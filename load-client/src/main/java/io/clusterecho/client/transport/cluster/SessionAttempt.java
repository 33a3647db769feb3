package io.clusterecho.client.transport.cluster;

/**
 * A session on its way to be open. Used by one thread.
 */
interface SessionAttempt extends AutoCloseable
{
    /**
     * Take one step.
     *
     * @return the open session, after which this attempt is over and owns nothing, or null if there is none yet.
     * @throws io.aeron.exceptions.AeronException if it failed, timed out or was refused; it must be closed then.
     */
    Session poll();

    /**
     * Whether the cluster was asked, so that it may have opened a session that is not known here yet.
     */
    boolean isRequested();

    /**
     * Release everything, unless the session is open.
     */
    @Override
    void close();
}
