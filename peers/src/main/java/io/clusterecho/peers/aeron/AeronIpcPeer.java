package io.clusterecho.peers.aeron;

/**
 * Plain Aeron through shared memory, between processes of one host.
 */
public final class AeronIpcPeer extends AeronPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public AeronIpcPeer()
    {
        super("aeron-ipc", true, Form.PLAIN);
    }
}
