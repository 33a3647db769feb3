package io.clusterecho.threads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Time on cores of the compiler threads of a process. It grows while something is compiled; the JVM's own total grows only when
 * a compilation is finished, which may take many seconds. Not thread-safe.
 */
public final class CompilerTimes
{
    /** Their names, truncated as by the system. */
    private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");

    private final Path tasks;
    private final Map<Long, Long> timesNs = new HashMap<>();

    /** @param tasks folder of the threads of a process, as in {@code /proc}. */
    CompilerTimes(final Path tasks)
    {
        this.tasks = tasks;
    }

    public static CompilerTimes ofThisProcess()
    {
        return new CompilerTimes(KernelThreads.TASKS);
    }

    /** Total in ns since the threads began, with those that have ended as far as they were seen by an earlier call. */
    public long totalNs() throws IOException
    {
        for (final long id : ids(tasks))
        {
            try
            {
                final String times = Files.readString(tasks.resolve(String.valueOf(id)).resolve("schedstat"));
                timesNs.put(id, Long.parseLong(times.split(" ")[0]));
            }
            catch (final NoSuchFileException ex)
            {
                // It ended after the folder was listed: the JVM ends compiler threads that it does not need.
                if (Files.isDirectory(tasks.resolve(String.valueOf(id))))
                {
                    throw ex;
                }
            }
        }

        return timesNs.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Ids of the compiler threads of a process, in the folder of its threads. */
    static List<Long> ids(final Path tasks) throws IOException
    {
        return KernelThreads.all(tasks).entrySet().stream()
            .filter((thread) -> NAMES.contains(thread.getValue())).map(Map.Entry::getKey).toList();
    }
}
