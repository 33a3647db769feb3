package io.clusterecho.threads;

import java.io.IOException;

/** Demotes a thread whose work may wait. */
public final class BackgroundThread
{
    private BackgroundThread()
    {
    }

    /**
     * Run the calling thread only where no other wants the core ({@code SCHED_IDLE}), until it ends. It should spend little time
     * in Java code, because the JVM waits for it at a safepoint.
     *
     * @throws IOException with the reason if the system has no such policy.
     */
    public static void enter() throws IOException
    {
        KernelScheduler.open().idle(ThreadIds.current());
    }
}
