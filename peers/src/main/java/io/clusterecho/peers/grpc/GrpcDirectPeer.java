package io.clusterecho.peers.grpc;

/**
 * A bidirectional gRPC stream with direct executors on both sides.
 */
public final class GrpcDirectPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcDirectPeer()
    {
        super("grpc-direct", Executors.DIRECT, false);
    }
}
