package io.clusterecho.client.transport.cluster;

import java.util.stream.Stream;

import io.aeron.security.CredentialsSupplier;

import io.clusterecho.media.zone.Placement.Distances;
import io.clusterecho.node.config.MemberEndpoints;

/**
 * Addresses and parameters of the sessions with a cluster.
 *
 * @param ingressEndpoints of its members, {@code 0=host:port,1=host:port...}; null for a leader that shares its media driver
 *                         with this client, and exchanges messages in that driver's memory.
 * @param egressEndpoint   that receives replies, {@code host:0} for any port.
 * @param termLength       of the ingress channel in bytes, and of the egress if the leader shares the driver.
 * @param newLeaderTimeoutNs longest wait without a leader before a session is opened again, in ns.
 * @param sessionRecovery  whether to request another session in the meantime.
 * @param credentials      to present, or null.
 * @param distances        to its members, emulated by this client as by them, or null.
 * @param isPlain          whether the members run the plain service.
 * @param isMarked         whether the leader is asked for the mark of each request.
 */
public record ClusterAddress(
    String ingressEndpoints, String egressEndpoint, int mtuLength, int termLength, long newLeaderTimeoutNs,
    SessionRecovery sessionRecovery, CredentialsSupplier credentials, Distances distances, boolean isPlain,
    boolean isMarked)
{
    /** Whether no host needs to be resolved, of its members and of this client. */
    boolean isEachHostAnAddress()
    {
        return null == ingressEndpoints || Stream.concat(
            Stream.of(ingressEndpoints.split(",")).map((endpoint) -> endpoint.substring(endpoint.indexOf('=') + 1)),
            Stream.of(egressEndpoint)).map((endpoint) -> endpoint.substring(0, endpoint.lastIndexOf(':')))
            .allMatch(MemberEndpoints::isAddress);
    }
}
