package io.clusterecho.peers.rsocket;

/**
 * An RSocket request-channel, a stream in both directions.
 */
public final class RSocketChannelPeer extends RSocketPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public RSocketChannelPeer()
    {
        super("rsocket-channel", true);
    }
}
