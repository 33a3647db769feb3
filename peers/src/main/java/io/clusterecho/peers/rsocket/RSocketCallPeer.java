package io.clusterecho.peers.rsocket;

/**
 * RSocket request-response, one request for each message.
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
