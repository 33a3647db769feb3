package io.clusterecho.peers.grpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.grpc.api.EchoGrpc;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;

import org.agrona.IoUtil;

/** Server over gRPC. */
final class GrpcServer implements PeerServer
{
    private static final int MAX_MESSAGE_LENGTH = 16 << 20;

    /** Null without TLS. */
    private final Path certificate;
    private final Server server;

    /** @param certificate file that the server writes, or null for no TLS. */
    GrpcServer(final Endpoint endpoint, final boolean isDirect, final Path certificate)
    {
        this.certificate = certificate;
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
            if (null != certificate)
            {
                builder.sslContext(GrpcTls.ofServer(endpoint, certificate));
            }
            server = builder.build().start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot serve at " + endpoint, ex);
        }
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
        if (null != certificate)
        {
            IoUtil.deleteIfExists(certificate.toFile());
        }
    }
}
