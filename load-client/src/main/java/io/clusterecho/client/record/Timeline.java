package io.clusterecho.client.record;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What happened to the sessions and when, on the agent's clock: one thread writes, any other may read what was written
 * before. Holds a bounded number of events, allocated beforehand; further ones are counted as dropped.
 */
public final class Timeline
{
    /** What an event is. */
    public enum Kind
    {
        /** Another member leads: the value is its id. */
        NEW_LEADER,
        /** A new session took the place of a lost one. */
        RECONNECTED,
        /** A message could not be sent for want of a session, for the first time since one could. */
        DISCONNECTED,
        /** A message was taken again, for the first time since one could not or since a new leader or session was there. */
        SENDABLE
    }

    private static final Kind[] KINDS = Kind.values();

    private final long[] timesNs;
    private final long[] values;
    private final byte[] kinds;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();

    /**
     * An empty timeline.
     *
     * @param capacity in events.
     */
    public Timeline(final int capacity)
    {
        timesNs = new long[capacity];
        values = new long[capacity];
        kinds = new byte[capacity];
    }

    /**
     * Write an event down; for the one writing thread.
     *
     * @param kind   of it.
     * @param timeNs of it.
     * @param value  see the kind.
     */
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

    /**
     * Events written so far.
     *
     * @return the count; places below it can be read.
     */
    public int count()
    {
        return count.get();
    }

    /**
     * Events that had no room.
     */
    public int droppedCount()
    {
        return dropped.get();
    }

    /**
     * Kind of an event.
     *
     * @param place below {@link #count()}.
     */
    public Kind kind(final int place)
    {
        return KINDS[kinds[place]];
    }

    /**
     * Time of an event.
     *
     * @param place below {@link #count()}.
     * @return in ns on the agent's clock.
     */
    public long timeNs(final int place)
    {
        return timesNs[place];
    }

    /**
     * Value of an event.
     *
     * @param place below {@link #count()}.
     * @return see {@link Kind}.
     */
    public long value(final int place)
    {
        return values[place];
    }
}
