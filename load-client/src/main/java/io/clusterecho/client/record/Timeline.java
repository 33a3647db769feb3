package io.clusterecho.client.record;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Events of the sessions on the agent's clock. One thread writes; any other may read what was written before. Has a bounded,
 * preallocated capacity; further events are counted as dropped.
 */
public final class Timeline
{
    /** Kinds of events. */
    public enum Kind
    {
        /** Another member leads: the value is its id. */
        NEW_LEADER,
        /** A new session replaced a lost one. */
        RECONNECTED,
        /** A message could not be sent because there was no session; the first since one could be sent. */
        DISCONNECTED,
        /** A message was accepted; the first since one was not, or since a new leader or session. */
        SENDABLE
    }

    private static final Kind[] KINDS = Kind.values();

    private final long[] timesNs;
    private final long[] values;
    private final byte[] kinds;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();

    public Timeline(final int capacity)
    {
        timesNs = new long[capacity];
        values = new long[capacity];
        kinds = new byte[capacity];
    }

    /** Add an event, whose value depends on its kind; for the one writing thread. */
    public void add(final Kind kind, final long timeNs, final long value)
    {
        final int place = count.getPlain();
        if (place == timesNs.length)
        {
            dropped.lazySet(dropped.getPlain() + 1);
            return;
        }

        timesNs[place] = timeNs;
        values[place] = value;
        kinds[place] = (byte)kind.ordinal();
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

    /** Kind of an event below {@link #count()}. */
    public Kind kind(final int place)
    {
        return KINDS[kinds[place]];
    }

    /** Time of an event below {@link #count()}, in ns on the agent's clock. */
    public long timeNs(final int place)
    {
        return timesNs[place];
    }

    /** Value of an event below {@link #count()}, see {@link Kind}. */
    public long value(final int place)
    {
        return values[place];
    }
}
