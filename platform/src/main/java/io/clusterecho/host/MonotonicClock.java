package io.clusterecho.host;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Identifies the monotonic clock of a process, which is behind {@link System#nanoTime()} on Linux: the same for all processes of
 * one host, also in containers, unless they have different time namespaces. Thread-safe.
 */
public final class MonotonicClock
{
    /** Id if the clock cannot be identified. */
    public static final long UNKNOWN = 0;

    private static final String BOOT = "proc/sys/kernel/random/boot_id";
    private static final String NAMESPACE = "proc/self/ns/time";

    /**
     * Id of the clock of this process: the same in two processes with the same clock, different otherwise except by chance;
     * {@link #UNKNOWN} if the system does not identify it.
     */
    public static long id()
    {
        return id(HostFiles.ofThisMachine());
    }

    static long id(final HostFiles files)
    {
        // Kernels before 5.6 have no namespaces of time.
        final String namespace = files.target(NAMESPACE).orElse("");
        return files.text(BOOT).map((boot) ->
            UUID.nameUUIDFromBytes((boot + namespace).getBytes(StandardCharsets.UTF_8)).getMostSignificantBits())
            .orElse(UNKNOWN);
    }
}
