package io.clusterecho.peers.aeron;

/**
 * Aeron over UDP with Protobuf messages through arrays.
 */
public final class AeronProtobufArraysPeer extends AeronPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public AeronProtobufArraysPeer()
    {
        super("aeron-protobuf-arrays", false, WireFormat.PROTOBUF_ARRAYS);
    }
}
