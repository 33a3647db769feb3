package io.clusterecho.platform;

import java.util.Optional;

import io.clusterecho.host.HostFiles;

/**
 * Group of processes among which Linux divides the cores before it divides them among threads: with
 * {@code kernel.sched_autogroup_enabled=1} the processes of one session are a group ({@code man 7 sched}).
 */
public final class SchedulingGroup
{
    private SchedulingGroup()
    {
    }

    /** Name of the group of a process, as in {@code /autogroup-25}; empty if there are no groups or no such process. */
    public static Optional<String> of(final long pid)
    {
        return of(HostFiles.ofThisMachine(), pid);
    }

    static Optional<String> of(final HostFiles files, final long pid)
    {
        return files.number("proc/sys/kernel/sched_autogroup_enabled").filter((enabled) -> 1 == enabled)
            .flatMap((enabled) -> files.text("proc/" + pid + "/autogroup"))
            .map((text) -> text.split(" ", 2)[0]);
    }
}
