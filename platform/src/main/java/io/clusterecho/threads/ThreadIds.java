package io.clusterecho.threads;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Ids by which Linux knows the threads of this process.
 */
final class ThreadIds
{
    static final Path TASKS = Path.of("/proc/self/task");

    private static final Path CURRENT = Path.of("/proc/thread-self");

    private ThreadIds()
    {
    }

    /**
     * Of the thread that asks.
     *
     * @throws IOException where the system does not tell.
     */
    static long current() throws IOException
    {
        if (!Files.isSymbolicLink(CURRENT))
        {
            throw new IOException("there is no " + CURRENT);
        }
        return Long.parseLong(Files.readSymbolicLink(CURRENT).getFileName().toString());
    }

    /**
     * Of all threads, those of the JVM itself included.
     *
     * @param tasks folder of the threads of a process.
     * @return id to name, of which the system keeps 15 characters.
     * @throws IOException if the folder cannot be read.
     */
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
                    // It ended since the folder was listed.
                    continue;
                }
            }
        }

        return names;
    }
}
