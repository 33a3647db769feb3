package io.clusterecho.peers.ratis;

/**
 * Ratis with its log in memory.
 */
public final class RatisMemoryPeer extends RatisPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public RatisMemoryPeer()
    {
        super("ratis-memory", true);
    }
}
