package io.clusterecho.client.transport;

import java.util.ArrayList;
import java.util.List;

import org.agrona.CloseHelper;

/**
 * The open sessions of a run and what they share. The thread that polls the first session drives what all of them share, so
 * they are closed by one thread, when no other uses them any more.
 */
public final class Sessions implements AutoCloseable
{
    private final List<Transport> transports = new ArrayList<>();
    private AutoCloseable shared;

    /**
     * No session yet.
     *
     * @param shared by all sessions and closed after them, or null.
     */
    public Sessions(final AutoCloseable shared)
    {
        this.shared = shared;
    }

    /**
     * Open sessions; all are closed again when one cannot be opened.
     *
     * @param connector that makes them, and is closed after them.
     * @param count     of sessions.
     * @param timeoutNs for each of them to be opened, in ns.
     * @return the open sessions.
     * @throws NotConnectedException if one cannot be opened in time.
     */
    public static Sessions open(final TransportConnector connector, final int count, final long timeoutNs)
    {
        final Sessions sessions = new Sessions(connector);
        try
        {
            for (int i = 0; i < count; i++)
            {
                sessions.add(connector.newTransport(), timeoutNs);
            }
        }
        catch (final RuntimeException ex)
        {
            sessions.close();
            throw ex;
        }

        return sessions;
    }

    /**
     * Open one more session. When that fails, all are closed, this one included.
     *
     * @param transport to connect.
     * @param timeoutNs for it to be opened, in ns.
     * @throws NotConnectedException if it cannot be opened in time.
     */
    public Sessions add(final Transport transport, final long timeoutNs)
    {
        transports.add(transport);
        try
        {
            transport.connect(timeoutNs);
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }

        return this;
    }

    /**
     * The sessions.
     *
     * @return in the order in which they were opened.
     */
    public Transport[] transports()
    {
        return transports.toArray(new Transport[0]);
    }

    /**
     * Close the sessions, the first one last as it drives the others, and what they share. Does nothing the second time.
     */
    @Override
    public void close()
    {
        for (int i = transports.size() - 1; i >= 0; i--)
        {
            CloseHelper.quietClose(transports.get(i));
        }
        transports.clear();
        CloseHelper.quietClose(shared);
        shared = null;
    }
}
