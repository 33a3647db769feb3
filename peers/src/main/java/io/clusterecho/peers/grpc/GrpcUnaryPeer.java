package io.clusterecho.peers.grpc;

/**
 * Unary gRPC calls with gRPC's default executor.
 */
public final class GrpcUnaryPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcUnaryPeer()
    {
        super("grpc-unary", Executors.DEFAULT, true);
    }
}
