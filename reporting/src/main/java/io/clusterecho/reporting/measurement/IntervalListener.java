package io.clusterecho.reporting.measurement;

/**
 * Told of each interval of a run, on the thread that watches it.
 */
@FunctionalInterface
public interface IntervalListener
{
    /**
     * An interval is over; the last one ends with the run and may be shorter.
     *
     * @param interval valid during the call only.
     */
    void onInterval(RunInterval interval);
}
