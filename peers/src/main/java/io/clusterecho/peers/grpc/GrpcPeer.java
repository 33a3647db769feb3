package io.clusterecho.peers.grpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.grpc.api.EchoGrpc;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.Setting;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;

import org.agrona.IoUtil;

/** gRPC on Netty: a bidirectional stream for all messages of a session, by its default executor, unless its traits differ. */
public record GrpcPeer(String name, Set<Trait> traits) implements Peer
{
    /** How a variant differs. */
    public enum Trait
    {
        /** A call for each message. */
        UNARY,
        /** Encrypted by TLS. */
        TLS,
        /** Netty's threads run the observers of the server, by a direct executor. */
        DIRECT_SERVER,
        /** Those of the client too. */
        DIRECT_CLIENT
    }

    /** Messages of a stream of prices that the client requests at once. */
    public static final Setting<Integer> DEMAND = Setting.ofInt(
        "peer.demand", "64", 1, 1 << 20, "Prices that the client requests at once; 1 is gRPC's own default.");

    public GrpcPeer(final String name, final Trait... traits)
    {
        this(name, Set.of(traits));
    }

    @Override
    public List<Setting<?>> settings()
    {
        return is(Trait.UNARY) ? List.of(inFlight()) :
            is(Trait.TLS) ? List.of(inFlight(), DEMAND, GrpcTls.CERTIFICATE) : List.of(inFlight(), DEMAND);
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name,
            "gRPC " + Facts.version("grpc") + " on its own Netty, Protobuf " + Facts.version("protobuf"),
            "not replicated, not durable, " + (is(Trait.UNARY) ? "not ordered" : "ordered") +
            "; lossless within a session",
            (is(Trait.TLS) ? "TLS by " + GrpcTls.provider() + "; " : "") +
            executor() + "; a channel per session; " +
            (is(Trait.UNARY) ? "by default at most 256 calls in flight" :
            "flow control on both sides, messages requested in batches of 32"));
    }

    @Override
    public Experiment experiment(final boolean isStream)
    {
        return new Experiment(
            "gRPC" + (is(Trait.TLS) ? " over TLS" : "") +
            (is(Trait.DIRECT_CLIENT) ? " with direct executors on both sides" :
            is(Trait.DIRECT_SERVER) ? " with a direct executor on the server" : ""),
            is(Trait.UNARY) ? Experiment.UNARY : Experiment.BIDIRECTIONAL,
            isStream ? Experiment.PRICE : Experiment.PROTOBUF_BYTES, "", "", "");
    }

    @Override
    public Set<Load> loads()
    {
        return is(Trait.UNARY) ? EnumSet.of(Load.ECHO, Load.CALLS) : EnumSet.of(Load.ECHO, Load.PRICES, Load.ONE_WAY);
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        final GrpcDialer dialer = new GrpcDialer(
            endpoint, is(Trait.DIRECT_CLIENT), is(Trait.UNARY),
            is(Trait.TLS) ? GrpcTls.certificate(endpoint, request.settings()) : null,
            is(Trait.UNARY) ? 0 : request.settings().value(DEMAND));
        return new QueuedConnector(
            dialer, endpoint.toString(), !is(Trait.UNARY), request.settings().value(inFlight()), request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        endpoint.requireFreeTcpPort();
        final Path certificate = is(Trait.TLS) ? GrpcTls.certificate(endpoint, request.settings()) : null;
        final NettyServerBuilder builder = NettyServerBuilder.forAddress(endpoint.address())
            .maxInboundMessageSize(GrpcDialer.MAX_MESSAGE_LENGTH)
            .addService(EchoGrpc.bindService(new GrpcEchoService()));
        if (is(Trait.DIRECT_SERVER))
        {
            builder.directExecutor();
        }
        try
        {
            if (null != certificate)
            {
                builder.sslContext(GrpcTls.ofServer(endpoint, certificate));
            }
            final Server server = builder.build().start();
            return () -> close(server, certificate);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot serve at " + endpoint, ex);
        }
    }

    private static void close(final Server server, final Path certificate)
    {
        server.shutdownNow();
        try
        {
            server.awaitTermination(5, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (null != certificate)
        {
            IoUtil.deleteIfExists(certificate.toFile());
        }
    }

    private boolean is(final Trait trait)
    {
        return traits.contains(trait);
    }

    private String executor()
    {
        return is(Trait.DIRECT_CLIENT) ? "direct executor on both sides" :
            is(Trait.DIRECT_SERVER) ? "direct executor on the server" : "default executor";
    }

    private Setting<Integer> inFlight()
    {
        return is(Trait.UNARY) ? QueuedConnector.CALLS_IN_FLIGHT : QueuedConnector.IN_FLIGHT;
    }
}
