package io.clusterecho.peers.aeron;

/**
 * Plain Aeron over UDP.
 */
public final class AeronUdpPeer extends AeronPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public AeronUdpPeer()
    {
        super("aeron-udp", false, WireFormat.PLAIN);
    }
}
