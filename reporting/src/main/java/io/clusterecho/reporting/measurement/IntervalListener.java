package io.clusterecho.reporting.measurement;

/** Receives each interval of a run, on the thread that watches the run. */
@FunctionalInterface
public interface IntervalListener
{
    /** An interval, valid only during the call, has ended. The last one ends with the run and may be shorter. */
    void onInterval(RunInterval interval);
}
