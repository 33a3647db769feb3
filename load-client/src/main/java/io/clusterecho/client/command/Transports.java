package io.clusterecho.client.command;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.transport.Transport;

import org.agrona.CloseHelper;

/**
 * The open sessions of a run and what they share.
 */
final class Transports implements AutoCloseable
{
    private final List<Transport> sessions = new ArrayList<>();
    private final AutoCloseable shared;

    Transports(final AutoCloseable shared)
    {
        this.shared = shared;
    }

    void add(final Transport transport)
    {
        sessions.add(transport);
    }

    List<Transport> sessions()
    {
        return sessions;
    }

    @Override
    public void close()
    {
        // The first session drives what all of them share: it goes last.
        for (int i = sessions.size() - 1; i >= 0; i--)
        {
            CloseHelper.quietClose(sessions.get(i));
        }
        CloseHelper.quietClose(shared);
    }
}
