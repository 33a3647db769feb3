package io.clusterecho.client.sweep;

import java.util.Map;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.control.member.ControlFailure;

/** What a sweep starts and measures: a cluster, or the servers of a system that is compared with it. One thread. */
interface SweepSystem
{
    /** Makes systems that have not started. Tests replace it with one without processes. */
    interface Maker
    {
        /** @param values of the dimensions that configure the system. */
        SweepSystem make(Map<Dimension, String> values);
    }

    /**
     * Start it and wait until it serves.
     *
     * @throws ControlFailure if it does not start.
     */
    void start();

    boolean isWhole();

    /** The same run, sent to this system. */
    RunConfig aimed(RunConfig run);

    void retire();
}
