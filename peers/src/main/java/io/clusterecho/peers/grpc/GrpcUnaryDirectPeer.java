package io.clusterecho.peers.grpc;

/**
 * Unary gRPC calls with a direct executor.
 */
public final class GrpcUnaryDirectPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcUnaryDirectPeer()
    {
        super("grpc-unary-direct", true, true);
    }
}
