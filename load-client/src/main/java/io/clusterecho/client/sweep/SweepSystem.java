package io.clusterecho.client.sweep;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.control.member.ControlFailure;

/** What a sweep starts and measures: a cluster, or the servers of a system that is compared with it. One thread. */
interface SweepSystem
{
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
