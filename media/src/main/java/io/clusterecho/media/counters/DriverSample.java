package io.clusterecho.media.counters;

import java.util.Arrays;

import io.aeron.AeronCounters;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.status.CountersReader;

/** Samples the columns that are counters of a media driver. Does not read labels, and so does not allocate. One thread. */
public final class DriverSample
{
    public static final long MISSING = Long.MIN_VALUE;

    private static final CounterColumn[] COLUMNS = CounterColumn.values();
    private static final int NONE = -1;

    private final Int2IntHashMap columnByKey = new Int2IntHashMap(NONE);
    /** For a column whose counter an earlier column has, too: that column. */
    private final int[] sameAs = new int[COLUMNS.length];

    public DriverSample()
    {
        for (final CounterColumn column : COLUMNS)
        {
            sameAs[column.ordinal()] = CounterColumn.NONE == column.key() ? NONE : columnByKey.get(column.key());
            if (CounterColumn.NONE != column.key() && NONE == sameAs[column.ordinal()])
            {
                columnByKey.put(column.key(), column.ordinal());
            }
        }
    }

    /** @param values one for each column; overwrites those of a driver, with {@link #MISSING} for missing ones. */
    public void take(final CountersReader counters, final long[] values)
    {
        for (final CounterColumn column : COLUMNS)
        {
            if (CounterColumn.NONE != column.key())
            {
                values[column.ordinal()] = MISSING;
            }
        }

        for (int id = 0; id <= counters.maxCounterId(); id++)
        {
            final int state = counters.getCounterState(id);
            if (CountersReader.RECORD_UNUSED == state)
            {
                break;
            }
            if (CountersReader.RECORD_ALLOCATED == state)
            {
                final int column = column(counters, id);
                if (NONE != column)
                {
                    final long value = counters.getCounterValue(id);
                    values[column] = MISSING == values[column] ? value : values[column] + value;
                }
            }
        }
        for (int i = 0; i < sameAs.length; i++)
        {
            if (NONE != sameAs[i])
            {
                values[i] = values[sameAs[i]];
            }
        }
    }

    private int column(final CountersReader counters, final int id)
    {
        final int typeId = counters.getCounterTypeId(id);
        return columnByKey.get(AeronCounters.DRIVER_SYSTEM_COUNTER_TYPE_ID != typeId ? typeId : CounterColumn.keyOfSystem(
            counters.metaDataBuffer().getInt(CountersReader.metaDataOffset(id) + CountersReader.KEY_OFFSET)));
    }

    /** An array for a sample: one value for each column, all {@link #MISSING}. */
    public static long[] newValues()
    {
        final long[] values = new long[COLUMNS.length];
        Arrays.fill(values, MISSING);
        return values;
    }
}
