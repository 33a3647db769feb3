package io.clusterecho.peers.grpc;

/**
 * Unary gRPC calls that Netty's thread of the server answers, as rpc-bench has them; the client has gRPC's default executor.
 */
public final class GrpcUnaryDirectPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcUnaryDirectPeer()
    {
        super("grpc-unary-direct", Executors.DIRECT_SERVER, true);
    }
}
