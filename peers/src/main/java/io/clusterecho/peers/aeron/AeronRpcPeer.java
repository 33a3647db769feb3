package io.clusterecho.peers.aeron;

/**
 * Calls with ids over Aeron UDP with Protobuf messages through streams, answered by a worker thread.
 */
public final class AeronRpcPeer extends AeronPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public AeronRpcPeer()
    {
        super("aeron-rpc", false, WireFormat.RPC);
    }
}
