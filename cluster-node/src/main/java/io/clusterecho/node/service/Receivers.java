package io.clusterecho.node.service;

import java.util.ArrayList;

import io.aeron.cluster.service.ClientSession;

import io.clusterecho.schema.FanOutStream;

/**
 * The open sessions that receive a copy of each reply, in the order in which they were opened. One thread; allocates only when
 * a session is opened.
 */
final class Receivers
{
    private final ArrayList<ClientSession> sessions = new ArrayList<>();

    /** A session was opened, or is open when the service starts. */
    void onSessionOpen(final ClientSession session)
    {
        if (FanOutStream.ID == session.responseStreamId())
        {
            sessions.add(session);
        }
    }

    void onSessionClose(final long sessionId)
    {
        for (int i = sessions.size() - 1; i >= 0; i--)
        {
            if (sessionId == sessions.get(i).id())
            {
                sessions.remove(i);
            }
        }
    }

    int count()
    {
        return sessions.size();
    }

    ClientSession get(final int index)
    {
        return sessions.get(index);
    }
}
