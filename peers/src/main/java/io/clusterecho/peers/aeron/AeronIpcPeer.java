package io.clusterecho.peers.aeron;

/**
 * Plain Aeron over IPC.
 */
public final class AeronIpcPeer extends AeronPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public AeronIpcPeer()
    {
        super("aeron-ipc", true, WireFormat.PLAIN);
    }
}
