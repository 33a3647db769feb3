package io.clusterecho.client.sweep;

import java.util.List;
import java.util.Optional;

import io.clusterecho.control.member.ControlFailure;

/** What a sweep starts and measures: a cluster, or the servers of a system that is compared with it. One thread. */
interface SweepSystem
{
    /** Start it and wait until it serves; fails with a {@link ControlFailure} if it does not start. */
    void start();

    /** What is wrong with it, or empty while it is intact. */
    Optional<String> damage();

    /** The options of a client that sends to this system. */
    List<String> target();

    void retire();
}
