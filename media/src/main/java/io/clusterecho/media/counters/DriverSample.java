package io.clusterecho.media.counters;

import java.util.Arrays;

import io.aeron.AeronCounters;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.status.CountersReader;

/** Samples the columns that are counters of a media driver. Does not read labels, which are garbage each time. One thread. */
public final class DriverSample
{
    public static final long MISSING = Long.MIN_VALUE;

    private static final CounterColumn[] COLUMNS = CounterColumn.values();

    /** Of all counters, those of columns or not. */
    private final Long2LongHashMap sumByKey = new Long2LongHashMap(MISSING);

    /** One value for each column, {@link #MISSING} for those of the system and for missing ones. */
    public long[] take(final CountersReader counters)
    {
        final long[] values = newValues();
        sumByKey.clear();
        for (int id = 0; id <= counters.maxCounterId(); id++)
        {
            final int state = counters.getCounterState(id);
            if (CountersReader.RECORD_UNUSED == state)
            {
                break;
            }
            if (CountersReader.RECORD_ALLOCATED == state)
            {
                final int key = key(counters, id);
                final long before = sumByKey.get(key);
                sumByKey.put(key, counters.getCounterValue(id) + (MISSING == before ? 0 : before));
            }
        }

        for (final CounterColumn column : COLUMNS)
        {
            if (CounterColumn.NONE != column.key())
            {
                values[column.ordinal()] = sumByKey.get(column.key());
            }
        }
        return values;
    }

    private static int key(final CountersReader counters, final int id)
    {
        final int typeId = counters.getCounterTypeId(id);
        return AeronCounters.DRIVER_SYSTEM_COUNTER_TYPE_ID != typeId ? typeId : CounterColumn.keyOfSystem(
            counters.metaDataBuffer().getInt(CountersReader.metaDataOffset(id) + CountersReader.KEY_OFFSET));
    }

    /** An array for a sample: one value for each column, all {@link #MISSING}. */
    public static long[] newValues()
    {
        final long[] values = new long[COLUMNS.length];
        Arrays.fill(values, MISSING);
        return values;
    }
}
