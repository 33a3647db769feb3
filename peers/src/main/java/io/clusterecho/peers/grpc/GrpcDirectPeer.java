package io.clusterecho.peers.grpc;

/**
 * A bidirectional gRPC stream with a direct executor.
 */
public final class GrpcDirectPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcDirectPeer()
    {
        super("grpc-direct", true, false);
    }
}
