package io.clusterecho.peers.aeron;

/**
 * Calls with ids over Aeron UDP with Protobuf messages through arrays, answered by a worker thread.
 */
public final class AeronRpcArraysPeer extends AeronPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public AeronRpcArraysPeer()
    {
        super("aeron-rpc-arrays", false, WireFormat.RPC_ARRAYS);
    }
}
