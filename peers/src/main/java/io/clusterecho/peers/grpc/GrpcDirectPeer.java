package io.clusterecho.peers.grpc;

/**
 * A gRPC stream in both directions, with a direct executor.
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
