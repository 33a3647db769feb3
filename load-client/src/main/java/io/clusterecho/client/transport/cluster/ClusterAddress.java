package io.clusterecho.client.transport.cluster;

import io.aeron.security.CredentialsSupplier;

import io.clusterecho.media.zone.Distances;

/**
 * How a cluster is reached.
 *
 * @param ingressEndpoints of its members, {@code 0=host:port,1=host:port...}.
 * @param egressEndpoint   on which this client receives, {@code host:0} for any port.
 * @param mtuLength        in bytes of the channels.
 * @param termLength       in bytes of the ingress channel.
 * @param newLeaderTimeoutNs how long a session without a leader is kept before it is opened anew, in ns.
 * @param sessionRecovery  whether another session is asked for in the meantime.
 * @param credentials      to present, or null.
 * @param distances        of its members, which this client emulates as they do, or null.
 * @param isPlain          whether the members send messages back as they came.
 */
public record ClusterAddress(
    String ingressEndpoints,
    String egressEndpoint,
    int mtuLength,
    int termLength,
    long newLeaderTimeoutNs,
    SessionRecovery sessionRecovery,
    CredentialsSupplier credentials,
    Distances distances,
    boolean isPlain)
{
}
