package io.clusterecho.reporting.measurement;

import java.util.List;

/**
 * Receives each interval of a run, on the thread that watches the run. It may write files, whose failed writes never end the run.
 */
@FunctionalInterface
public interface IntervalListener extends AutoCloseable
{
    /** An interval, valid only during the call, has ended. The last one ends with the run and may be shorter. */
    void onInterval(RunInterval interval);

    /**
     * A sentence for each incomplete file, such as "counters.csv is incomplete from 12.0 s on: No space left on device"; empty
     * if all are complete so far.
     */
    default List<String> problems()
    {
        return List.of();
    }

    /** After the last interval. */
    @Override
    default void close()
    {
    }
}
