package io.clusterecho.peers.aeron;

/**
 * Aeron over UDP with Protobuf messages through streams.
 */
public final class AeronProtobufPeer extends AeronPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public AeronProtobufPeer()
    {
        super("aeron-protobuf", false, WireFormat.PROTOBUF);
    }
}
