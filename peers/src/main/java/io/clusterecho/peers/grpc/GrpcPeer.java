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
import io.clusterecho.peers.session.InFlight;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.settings.Setting;

/**
 * gRPC on Netty.
 */
abstract class GrpcPeer implements Peer
{
    private static final long MAX_LENGTH = 1 << 20;

    private final String name;
    private final boolean isDirect;
    private final boolean isUnary;
    private final boolean isEncrypted;

    GrpcPeer(final String name, final boolean isDirect, final boolean isUnary)
    {
        this(name, isDirect, isUnary, false);
    }

    GrpcPeer(final String name, final boolean isDirect, final boolean isUnary, final boolean isEncrypted)
    {
        this.name = name;
        this.isDirect = isDirect;
        this.isUnary = isUnary;
        this.isEncrypted = isEncrypted;
    }

    @Override
    public final String name()
    {
        return name;
    }

    @Override
    public final List<Setting<?>> settings()
    {
        return isEncrypted ? List.of(inFlight(), GrpcTls.CERTIFICATE) : List.of(inFlight());
    }

    @Override
    public final long maxLengthBytes()
    {
        return MAX_LENGTH;
    }

    @Override
    public final String durability()
    {
        return "none: one server, which stores nothing";
    }

    @Override
    public final Map<String, String> facts()
    {
        return Facts.of(
            name,
            "gRPC " + Facts.version("grpc") + " on its own Netty, Protobuf " + Facts.version("protobuf"),
            "not replicated, not durable, " + (isUnary ? "not ordered" : "ordered") +
            "; lossless within a session",
            (isEncrypted ? "TLS by " + GrpcTls.provider() + "; " : "") +
            (isDirect ? "direct executor on both sides" : "default executor") +
            "; a channel per session; " +
            (isUnary ? "at most 256 calls in flight" :
            "flow control on both sides, messages requested in batches of 32"));
    }

    @Override
    public final Set<Load> loads()
    {
        return isUnary ? EnumSet.of(Load.ECHO, Load.CALLS) : EnumSet.of(Load.ECHO, Load.PRICES, Load.ONE_WAY);
    }

    @Override
    public final TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return new QueuedConnector(
            new GrpcDialer(
                endpoint, isDirect, isUnary, isEncrypted ? GrpcTls.certificate(endpoint, request.settings()) : null,
                request.settings().value(inFlight())),
            request.lengthBytes());
    }

    @Override
    public final PeerServer serve(final ServeRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return new GrpcServer(
            endpoint, isDirect, isEncrypted ? GrpcTls.certificate(endpoint, request.settings()) : null);
    }

    private Setting<Integer> inFlight()
    {
        return isUnary ? InFlight.OF_CALLS : InFlight.SETTING;
    }
}
