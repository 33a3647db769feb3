package io.clusterecho.threads;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;

import io.clusterecho.host.CLibrary;

/**
 * Unprivileged system calls of Linux about threads of this process. A thread is identified by its kernel id, as in
 * {@code /proc/self/task}. Not for threads that carry messages.
 */
final class KernelScheduler
{
    private KernelScheduler()
    {
    }

    /** Pin a thread to one or more processors; fails for those that this process may not use. */
    static void pin(final long threadId, final Collection<Integer> cpus) throws IOException
    {
        final BitSet bits = new BitSet();
        cpus.forEach(bits::set);
        final byte[] bytes = bits.toByteArray();
        // The kernel reads whole words.
        final byte[] mask = Arrays.copyOf(bytes, (bytes.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
        CLibrary.call("sched_setaffinity", (int)threadId, (long)mask.length, mask);
    }
}
