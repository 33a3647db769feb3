package io.clusterecho.threads;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.host.HostFiles;

/** Kernel ids of the threads of this process. */
final class ThreadIds
{
    static final Path TASKS = Path.of("/proc/self/task");

    private static final String CURRENT = "proc/thread-self";

    private ThreadIds()
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
}
