package io.clusterecho.media.counters;

import java.util.function.IntSupplier;

import org.agrona.concurrent.status.CountersReader;

/** A counter that is searched for once, and again when it was closed: a search reads all counters of a driver. One thread. */
public final class CounterLookup
{
    private final CountersReader counters;
    private final int typeId;
    private final IntSupplier search;
    private int id = CountersReader.NULL_COUNTER_ID;

    /** @param search returns its id, or {@link CountersReader#NULL_COUNTER_ID}. */
    public CounterLookup(final CountersReader counters, final int typeId, final IntSupplier search)
    {
        this.counters = counters;
        this.typeId = typeId;
        this.search = search;
    }

    public static CounterLookup ofType(final CountersReader counters, final int typeId)
    {
        return new CounterLookup(counters, typeId, () -> find(counters, typeId));
    }

    private static int find(final CountersReader counters, final int typeId)
    {
        final int[] found = { CountersReader.NULL_COUNTER_ID };
        counters.forEach((counterId, type, key, label) ->
            found[0] = type == typeId && CountersReader.NULL_COUNTER_ID == found[0] ? counterId : found[0]);
        return found[0];
    }

    /** Id of the counter, {@link CountersReader#NULL_COUNTER_ID} if there is none now. */
    public int id()
    {
        if (CountersReader.NULL_COUNTER_ID == id || CountersReader.RECORD_ALLOCATED != counters.getCounterState(id) ||
            counters.getCounterTypeId(id) != typeId)
        {
            id = search.getAsInt();
        }
        return id;
    }

    /** Value of the counter, or the given one if there is none now. */
    public long value(final long missing)
    {
        final int now = id();
        return CountersReader.NULL_COUNTER_ID == now ? missing : counters.getCounterValue(now);
    }
}
