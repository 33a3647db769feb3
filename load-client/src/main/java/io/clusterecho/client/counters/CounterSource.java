package io.clusterecho.client.counters;

import java.util.List;

/** Source of the rows of {@link CounterFiles}: one set for each interval of a run, without the begin and end of the interval. */
public interface CounterSource extends AutoCloseable
{
    /** Rows of the processes for the interval that ends now, each beginning with the name of the process. */
    List<String> processRows();

    /** Row of the machine for the interval that ends now: fields separated by commas, or null for none. */
    String machineRow();

    @Override
    default void close()
    {
        // Nothing to release.
    }
}
