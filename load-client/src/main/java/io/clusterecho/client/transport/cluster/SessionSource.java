package io.clusterecho.client.transport.cluster;

import io.aeron.cluster.client.EgressListener;

/**
 * Where a transport gets its sessions from. Used by one thread.
 */
interface SessionSource
{
    /**
     * Begin to open a session.
     *
     * @param timeoutNs after which the attempt fails.
     * @param listener  of the session.
     * @return to be polled until it succeeds or fails.
     */
    SessionAttempt begin(long timeoutNs, EgressListener listener);

    /**
     * One turn of driver and client conductor, where they have no threads of their own.
     *
     * @return number of things done.
     */
    int drive();
}
