package io.clusterecho.peers.grpc;

/**
 * A gRPC stream in both directions, with gRPC's own executor.
 */
public final class GrpcStreamPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcStreamPeer()
    {
        super("grpc", false, false);
    }
}
