package io.clusterecho.peers.session;

import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;

/**
 * Sessions over a library that calls back on threads of its own.
 */
public final class QueuedConnector implements TransportConnector
{
    private final Dialer dialer;
    private final int maxLength;

    /**
     * No session yet.
     *
     * @param dialer    which opens their connections; closed with this.
     * @param maxLength in bytes of a message.
     */
    public QueuedConnector(final Dialer dialer, final int maxLength)
    {
        this.dialer = dialer;
        this.maxLength = maxLength;
    }

    @Override
    public Transport newTransport()
    {
        return new QueuedTransport(dialer, maxLength);
    }

    @Override
    public void close()
    {
        dialer.close();
    }
}
