package io.clusterecho.client.record;

import java.util.concurrent.atomic.AtomicLongArray;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;

/** Counters with one writer and many readers. */
public final class Counters
{
    private static final Counter[] COUNTERS = Counter.values();

    private final AtomicLongArray values = new AtomicLongArray(COUNTERS.length);

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

    /** Current values; for any thread. Answered messages never exceed those sent. */
    public Counts counts()
    {
        final Counts counts = new Counts();
        // In reverse order: sent is read after answered.
        for (int i = COUNTERS.length - 1; i >= 0; i--)
        {
            counts.set(COUNTERS[i], values.get(i));
        }
        return counts;
    }
}
