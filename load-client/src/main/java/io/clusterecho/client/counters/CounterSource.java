package io.clusterecho.client.counters;

import java.util.List;

/**
 * Where the rows of {@link CounterFiles} come from, one set for each interval of a run. Without begin and end, which the
 * interval gives.
 */
public interface CounterSource extends AutoCloseable
{
    /**
     * Rows of the processes, each beginning with the process's name, for the interval that ends now.
     *
     * @return fields separated by commas.
     */
    List<String> processRows();

    /**
     * Row of the machine for the interval that ends now.
     *
     * @return fields separated by commas, or null for none.
     */
    String machineRow();

    @Override
    default void close()
    {
        // Nothing is held.
    }
}
