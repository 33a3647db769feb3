package io.clusterecho.peers.grpc;

/** Which threads run the observers of gRPC: those of its default executor, or Netty's, with a direct executor. */
public enum Executors
{
    /** gRPC's own on both sides. */
    DEFAULT("default executor", false, false),
    /** Netty's on the server, gRPC's own on the client. */
    DIRECT_SERVER("direct executor on the server", false, true),
    /** Netty's on both sides. */
    DIRECT("direct executor on both sides", true, true);

    private final String label;
    private final boolean isDirectOnClient;
    private final boolean isDirectOnServer;

    Executors(final String label, final boolean isDirectOnClient, final boolean isDirectOnServer)
    {
        this.label = label;
        this.isDirectOnClient = isDirectOnClient;
        this.isDirectOnServer = isDirectOnServer;
    }

    String label()
    {
        return label;
    }

    boolean isDirectOnClient()
    {
        return isDirectOnClient;
    }

    boolean isDirectOnServer()
    {
        return isDirectOnServer;
    }
}
