package io.clusterecho.client.record;

import java.util.concurrent.atomic.AtomicLongArray;

import io.clusterecho.reporting.measurement.Counter;

/** Counters with one writer and many readers. */
public final class Counters
{
    private final AtomicLongArray values = new AtomicLongArray(Counter.values().length);

    /** Add one; for the one writing thread. */
    public void increment(final Counter counter)
    {
        add(counter, 1);
    }

    /** Add a count; for the one writing thread. */
    public void add(final Counter counter, final long count)
    {
        final int place = counter.ordinal();
        values.lazySet(place, values.getPlain(place) + count);
    }

    /** Current value; for any thread. */
    public long value(final Counter counter)
    {
        return values.get(counter.ordinal());
    }
}
