package io.clusterecho.client.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.clusterecho.settings.Cause;

import org.agrona.CloseHelper;

/**
 * The open sessions of a run and what they share. The thread that polls the first session also runs what all of them share, so
 * one thread closes them after no other uses them.
 */
public final class Sessions implements AutoCloseable
{
    /** The sessions, and after them those that only receive. */
    private final List<Transport> opened = new ArrayList<>();
    private int receiverCount;
    private AutoCloseable shared;

    /** @param shared by all sessions and closed after them, or null. */
    public Sessions(final AutoCloseable shared)
    {
        this.shared = shared;
    }

    /**
     * Open sessions of a connector, which is closed after them, and receivers, which send nothing and receive a copy of each
     * reply. If one cannot be opened in time, all are closed, and a {@link NotConnectedException} says so.
     */
    public static Sessions open(
        final TransportConnector connector, final int count, final int receiverCount, final long timeoutNs)
    {
        final Sessions sessions = new Sessions(connector);
        for (int i = 0; i < count; i++)
        {
            sessions.open(connector::newTransport, timeoutNs);
        }
        for (; sessions.receiverCount < receiverCount; sessions.receiverCount++)
        {
            sessions.open(connector::newReceiver, timeoutNs);
        }

        return sessions;
    }

    /** Open one more session. If that fails, all are closed, including this one. */
    public Sessions add(final Transport transport, final long timeoutNs)
    {
        open(() -> transport, timeoutNs);
        return this;
    }

    private void open(final Supplier<Transport> source, final long timeoutNs)
    {
        try
        {
            final Transport transport = source.get();
            opened.add(transport);
            transport.connect(timeoutNs);
        }
        catch (final RuntimeException | InternalError ex)
        {
            close();
            throw ex;
        }
    }

    /** The sessions, in the order in which they were opened. */
    public Transport[] transports()
    {
        return opened.subList(0, opened.size() - receiverCount).toArray(new Transport[0]);
    }

    /** Those that only receive, in the order in which they were opened. */
    public Transport[] receivers()
    {
        return opened.subList(opened.size() - receiverCount, opened.size()).toArray(new Transport[0]);
    }

    /** Close the sessions, the first one last because it runs the others, and what they share. Idempotent. */
    @Override
    public void close()
    {
        while (!opened.isEmpty())
        {
            closeQuietly(opened.remove(opened.size() - 1));
        }
        receiverCount = 0;
        closeQuietly(shared);
        shared = null;
    }

    /** What failed for lack of shared memory fails again when it is closed, which must not cost the others, nor the result. */
    private static void closeQuietly(final AutoCloseable closeable)
    {
        try
        {
            CloseHelper.quietClose(closeable);
        }
        catch (final InternalError ex)
        {
            System.err.println("warning: a session could not be closed: " + Cause.ofError(ex));
        }
    }
}
