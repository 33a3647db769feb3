package io.clusterecho.client.record;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Events of the sessions on the agent's clock. One thread writes; any other may read what was written before. Has a bounded
 * capacity; further events are counted as dropped.
 */
public final class Timeline
{
    /** Kinds of events. */
    public enum Kind
    {
        /** Another member leads. */
        NEW_LEADER,
        /** A new session replaced a lost one. */
        RECONNECTED,
        /** A message was accepted; the first since one was not, or since a new leader or session. */
        SENDABLE
    }

    /** An event; the member is the new leader, or 0 for other kinds. */
    public record Event(Kind kind, long timeNs, int memberId)
    {
    }

    private final Event[] events;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();

    public Timeline(final int capacity)
    {
        events = new Event[capacity];
    }

    /** Add an event; for the one writing thread. */
    public void add(final Kind kind, final long timeNs, final int memberId)
    {
        final int place = count.getPlain();
        if (place == events.length)
        {
            dropped.lazySet(dropped.getPlain() + 1);
            return;
        }

        events[place] = new Event(kind, timeNs, memberId);
        count.lazySet(place + 1);
    }

    /** Number of recorded events; indexes below it can be read. */
    public int count()
    {
        return count.get();
    }

    public int droppedCount()
    {
        return dropped.get();
    }

    /** An event below {@link #count()}. */
    public Event event(final int place)
    {
        return events[place];
    }
}
