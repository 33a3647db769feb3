package io.clusterecho.peers.rsocket;

/**
 * An RSocket channel, messages in both directions.
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
