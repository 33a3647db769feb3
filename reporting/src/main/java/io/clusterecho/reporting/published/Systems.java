package io.clusterecho.reporting.published;

/** Systems and loads that reports and results name alike. */
public final class Systems
{
    /** Aeron without a cluster, with the Java driver. */
    public static final String AERON = "Aeron, Java driver";
    /** The same with Protobuf written to and parsed from streams. */
    public static final String AERON_PROTOBUF = "Aeron, Java driver, with Protobuf through streams";
    /** Calls with Protobuf messages over Aeron. */
    public static final String AERON_RPC = "calls over Aeron, Java driver, with Protobuf through streams";
    /** gRPC with its default executor. */
    public static final String GRPC = "gRPC";
    public static final String GRPC_DIRECT = "gRPC with a direct executor on the server";
    public static final String GRPC_DIRECT_BOTH = "gRPC with direct executors on both sides";
    /** KryoNet over TCP. */
    public static final String KRYONET = "KryoNet";

    private Systems()
    {
    }

    /** A closed loop over several connections, with messages in flight on each. */
    public static String onConnections(final long connections, final long inFlightOnEach)
    {
        return "closed loop, " + connections + " connections, " + inFlightOnEach + " in flight on each";
    }

    /** A load with a maximum heap on both sides, such as {@code 128m}. */
    public static String withHeap(final String load, final String heap)
    {
        return load + ", heaps of " + heap;
    }

    /** Aeron Cluster, with a placement in the words of the guide. */
    static String cluster(
        final String memberCount, final String driver, final String fsync, final String mtuBytes, final String placement)
    {
        return "cluster of " + memberCount + " members, " + driver + " driver, file sync level " + fsync + ", MTU " + mtuBytes +
            ", " + placement;
    }

    static String transport(final String driver, final String mtuBytes)
    {
        return "Aeron, " + driver + " driver, MTU " + mtuBytes;
    }
}
