package io.clusterecho.threads;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

import io.clusterecho.host.CLibrary;
import io.clusterecho.host.HostFiles;

/** The threads of this process as the kernel knows them, by their ids. Not for threads that carry messages. */
final class KernelThreads
{
    private static final String TASKS = "proc/self/task";
    private static final String CURRENT = "proc/thread-self";

    private KernelThreads()
    {
    }

    /** Id of the calling thread; an {@link IOException} if it is unknown. */
    static long current() throws IOException
    {
        return HostFiles.ofThisMachine().target(CURRENT).map(Long::valueOf)
            .orElseThrow(() -> new IOException("/" + CURRENT + " does not exist"));
    }

    /** Ids of all threads, including those of the JVM itself; an {@link IOException} if the system does not list them. */
    static List<Long> all() throws IOException
    {
        final List<Long> ids = HostFiles.ofThisMachine().names(TASKS).stream().map(Long::valueOf).toList();
        if (ids.isEmpty())
        {
            throw new IOException("/" + TASKS + " cannot be listed");
        }
        return ids;
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
