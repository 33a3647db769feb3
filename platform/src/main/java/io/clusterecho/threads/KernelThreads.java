package io.clusterecho.threads;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.host.CLibrary;
import io.clusterecho.host.HostFiles;

/** The threads of this process as the kernel knows them, by their ids. Not for threads that carry messages. */
final class KernelThreads
{
    static final Path TASKS = Path.of("/proc/self/task");

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

    /** Ids of all threads, including those of the JVM itself, with their names, truncated to 15 characters by the system. */
    static SortedMap<Long, String> all(final Path tasks) throws IOException
    {
        final SortedMap<Long, String> names = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks))
        {
            for (final Path thread : threads)
            {
                try
                {
                    final String name = Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1).trim();
                    names.put(Long.valueOf(thread.getFileName().toString()), name);
                }
                catch (final IOException ex)
                {
                    // It ended after the folder was listed.
                    continue;
                }
            }
        }

        return names;
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
