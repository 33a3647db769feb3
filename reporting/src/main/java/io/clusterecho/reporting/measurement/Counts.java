package io.clusterecho.reporting.measurement;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A number for each {@link Counter}. */
public final class Counts
{
    private static final Counter[] COUNTERS = Counter.values();

    private final long[] values = new long[COUNTERS.length];

    public Counts()
    {
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    Counts(final Map<Counter, Long> values)
    {
        values.forEach(this::set);
    }

    @JsonValue
    Map<Counter, Long> values()
    {
        final Map<Counter, Long> all = new EnumMap<>(Counter.class);
        Arrays.stream(COUNTERS).forEach((counter) -> all.put(counter, of(counter)));
        return all;
    }

    public long of(final Counter counter)
    {
        return values[counter.ordinal()];
    }

    public Counts set(final Counter counter, final long value)
    {
        values[counter.ordinal()] = value;
        return this;
    }

    public void increment(final Counter counter)
    {
        values[counter.ordinal()]++;
    }

    /** Add those of another client of the same run. */
    public Counts add(final Counts other)
    {
        for (final Counter counter : COUNTERS)
        {
            // All clients see the same changes of leader.
            set(counter, Counter.NEW_LEADERS == counter ? Math.max(of(counter), other.of(counter)) :
                of(counter) + other.of(counter));
        }
        return this;
    }

    public Counts since(final Counts earlier)
    {
        final Counts since = new Counts();
        for (final Counter counter : COUNTERS)
        {
            since.set(counter, of(counter) - earlier.of(counter));
        }
        return since;
    }

    public Counts copy()
    {
        return new Counts().add(this);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof Counts counts && Arrays.equals(values, counts.values);
    }

    @Override
    public int hashCode()
    {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString()
    {
        return values().toString();
    }
}
