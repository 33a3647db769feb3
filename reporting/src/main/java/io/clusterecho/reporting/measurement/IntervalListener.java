package io.clusterecho.reporting.measurement;

/** Receives each interval of a run, on the thread that watches the run. */
@FunctionalInterface
public interface IntervalListener
{
    /**
     * An interval has ended. The last one ends with the run and may be shorter.
     *
     * @param interval valid only during the call.
     */
    void onInterval(RunInterval interval);
}
