package io.clusterecho.peers.grpc;

/**
 * Unary gRPC calls that Netty's threads serve on both sides, as RPC Thunder Dome has them.
 */
public final class GrpcUnaryDirectBothPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcUnaryDirectBothPeer()
    {
        super("grpc-unary-direct-both", Executors.DIRECT, true);
    }
}
