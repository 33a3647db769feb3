package io.clusterecho.peers.ratis;

/**
 * Ratis with its log on disk.
 */
public final class RatisDiskPeer extends RatisPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public RatisDiskPeer()
    {
        super("ratis", false);
    }
}
