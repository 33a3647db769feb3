package io.clusterecho.peers.grpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.grpc.api.EchoGrpc;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;

/**
 * Server over gRPC.
 */
final class GrpcServer implements PeerServer
{
    private static final int MAX_MESSAGE_LENGTH = 16 << 20;

    private final Endpoint endpoint;
    private final Server server;

    GrpcServer(final Endpoint endpoint, final boolean isDirect)
    {
        this.endpoint = endpoint;
        endpoint.requireFreeTcpPort();
        final NettyServerBuilder builder = NettyServerBuilder.forAddress(endpoint.address())
            .maxInboundMessageSize(MAX_MESSAGE_LENGTH)
            .addService(EchoGrpc.bindService(new GrpcEchoService()));
        if (isDirect)
        {
            builder.directExecutor();
        }
        try
        {
            server = builder.build().start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot serve at " + endpoint, ex);
        }
    }

    @Override
    public String endpoints()
    {
        return endpoint.toString();
    }

    @Override
    public void close()
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
    }
}
