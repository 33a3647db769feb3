package io.clusterecho.peers.grpc;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.settings.Setting;

/**
 * gRPC on Netty.
 *
 * @param isUnary     a call for each message, else one bidirectional stream for all.
 * @param isEncrypted by TLS.
 */
public record GrpcPeer(String name, Executors executors, boolean isUnary, boolean isEncrypted) implements Peer
{
    /** Messages of a stream of prices that the client requests at once. */
    public static final Setting<Integer> DEMAND = Setting.ofInt(
        "peer.demand", "64", 1, 1 << 20, "Prices that the client requests at once; 1 is gRPC's own default.");

    @Override
    public List<Setting<?>> settings()
    {
        return isUnary ? List.of(inFlight()) :
            isEncrypted ? List.of(inFlight(), DEMAND, GrpcTls.CERTIFICATE) : List.of(inFlight(), DEMAND);
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name,
            "gRPC " + Facts.version("grpc") + " on its own Netty, Protobuf " + Facts.version("protobuf"),
            "not replicated, not durable, " + (isUnary ? "not ordered" : "ordered") +
            "; lossless within a session",
            (isEncrypted ? "TLS by " + GrpcTls.provider() + "; " : "") +
            executors.label() + "; a channel per session; " +
            (isUnary ? "by default at most 256 calls in flight" :
            "flow control on both sides, messages requested in batches of 32"));
    }

    @Override
    public Set<Load> loads()
    {
        return isUnary ? EnumSet.of(Load.ECHO, Load.CALLS) : EnumSet.of(Load.ECHO, Load.PRICES, Load.ONE_WAY);
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        final GrpcDialer dialer = new GrpcDialer(
            endpoint, executors.isDirectOnClient(), isUnary,
            isEncrypted ? GrpcTls.certificate(endpoint, request.settings()) : null,
            isUnary ? 0 : request.settings().value(DEMAND));
        return new QueuedConnector(
            dialer, endpoint.toString(), !isUnary, request.settings().value(inFlight()), request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return new GrpcServer(
            endpoint, executors.isDirectOnServer(), isEncrypted ? GrpcTls.certificate(endpoint, request.settings()) : null);
    }

    private Setting<Integer> inFlight()
    {
        return isUnary ? QueuedConnector.CALLS_IN_FLIGHT : QueuedConnector.IN_FLIGHT;
    }
}
