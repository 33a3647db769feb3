package io.clusterecho.client.transport.cluster;

/** How a session recovers after losing its leader. */
public enum SessionRecovery
{
    /**
     * Request another session at once, while the first still waits for a new leader. Keep the first that is usable and close
     * the other.
     */
    PROBE,

    /**
     * Wait until a new leader is announced, and open another session after {@link ClusterAddress#newLeaderTimeoutNs()} without
     * one: the behaviour of {@link io.aeron.cluster.client.AeronCluster}.
     */
    WAIT
}
