package io.clusterecho.client.transport.cluster;

import io.aeron.cluster.client.EgressListener;

/** Source of a transport's sessions. Used by one thread. */
public interface SessionSource
{
    /** Begin to open a session; the attempt is polled until it succeeds or fails. */
    SessionAttempt begin(long timeoutNs, EgressListener listener);

    /** One duty cycle of driver and client conductor, if they have no threads of their own. */
    int drive();

    /**
     * Whether it can open no more sessions, because its Aeron client has ended: the driver is gone, or the process had no
     * processor time for longer than the client's liveness timeout.
     */
    boolean isClosed();
}
