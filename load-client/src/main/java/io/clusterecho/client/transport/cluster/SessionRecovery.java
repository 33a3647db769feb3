package io.clusterecho.client.transport.cluster;

/**
 * What becomes of a session that lost contact with its leader.
 */
public enum SessionRecovery
{
    /**
     * Another session is asked for at once, while the first still waits for a new leader. The first that can be used is kept, and
     * the other one closed.
     */
    PROBE,

    /**
     * Wait until a new leader is announced, and open another session when {@link ClusterAddress#newLeaderTimeoutNs()} has passed
     * without one: what {@link io.aeron.cluster.client.AeronCluster} does by itself.
     */
    WAIT
}
