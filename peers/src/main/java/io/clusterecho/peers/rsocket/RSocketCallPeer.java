package io.clusterecho.peers.rsocket;

/**
 * RSocket, a request with its response for each message.
 */
public final class RSocketCallPeer extends RSocketPeer
{
    /**
     * For {@link java.util.ServiceLoader}.
     */
    public RSocketCallPeer()
    {
        super("rsocket", false);
    }
}
