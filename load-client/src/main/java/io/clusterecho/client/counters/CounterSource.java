package io.clusterecho.client.counters;

import java.util.List;

/** Source of the rows of {@link CounterFiles}: one set for each interval of a run, without the begin and end of the interval. */
@FunctionalInterface
public interface CounterSource extends AutoCloseable
{
    /**
     * Rows for an interval.
     *
     * @param processes a row each, beginning with the name of the process.
     * @param machine   fields separated by commas, or null for none.
     */
    record Rows(List<String> processes, String machine)
    {
    }

    /** Rows for the interval that ends now. */
    Rows take();

    @Override
    default void close()
    {
        // Nothing to release.
    }
}
