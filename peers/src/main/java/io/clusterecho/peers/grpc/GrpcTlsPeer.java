package io.clusterecho.peers.grpc;

/**
 * A bidirectional gRPC stream over TLS, with gRPC's default executor.
 */
public final class GrpcTlsPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcTlsPeer()
    {
        super("grpc-tls", Executors.DEFAULT, false, true);
    }
}
