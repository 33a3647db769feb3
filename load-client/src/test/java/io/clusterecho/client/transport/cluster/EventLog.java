package io.clusterecho.client.transport.cluster;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.Transport;

import org.agrona.DirectBuffer;

/** Calls of a transport to its handler, in words. */
final class EventLog implements ResponseHandler
{
    private static final long NS_PER_MS = 1_000_000;

    private final List<String> events = new ArrayList<>();

    /**
     * Poll a transport a number of times.
     *
     * @return calls since then.
     */
    List<String> poll(final Transport transport, final int turnCount)
    {
        events.clear();
        for (int i = 0; i < turnCount; i++)
        {
            transport.poll(this, 10);
        }
        return List.copyOf(events);
    }

    @Override
    public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        events.add(buffer.getStringWithoutLengthAscii(offset, length) + " at " + receiveTimeNs / NS_PER_MS + " ms");
    }

    @Override
    public void onResponse(
        final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs, final long arrivalTimeNs)
    {
        onResponse(buffer, offset, length, receiveTimeNs);
        if (UNKNOWN_NS != arrivalTimeNs)
        {
            events.add("since " + arrivalTimeNs / NS_PER_MS + " ms");
        }
    }

    @Override
    public void onNewLeader(final int memberId, final long leadershipTermId)
    {
        events.add("leader " + memberId + " in term " + leadershipTermId);
    }

    @Override
    public void onReconnected()
    {
        events.add("reconnected");
    }
}
