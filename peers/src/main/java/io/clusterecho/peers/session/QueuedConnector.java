package io.clusterecho.peers.session;

import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;

/** Sessions over a library that calls back on its own threads. */
public final class QueuedConnector implements TransportConnector
{
    private final Dialer dialer;
    private final int maxLength;

    /**
     * A connector without sessions.
     *
     * @param dialer    opens connections; closed with this connector.
     * @param maxLength maximum message length in bytes.
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
