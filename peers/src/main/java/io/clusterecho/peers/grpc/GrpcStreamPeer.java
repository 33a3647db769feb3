package io.clusterecho.peers.grpc;

/**
 * A bidirectional gRPC stream with gRPC's default executor.
 */
public final class GrpcStreamPeer extends GrpcPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public GrpcStreamPeer()
    {
        super("grpc", Executors.DEFAULT, false);
    }
}
