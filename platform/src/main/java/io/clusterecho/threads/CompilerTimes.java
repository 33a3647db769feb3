package io.clusterecho.threads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.host.HostFiles;

/**
 * Time on cores of the compiler threads of a process. It grows while something is compiled; the JVM's own total grows only when
 * a compilation is finished, which may take many seconds. Not thread-safe.
 */
public final class CompilerTimes
{
    /** Their names, truncated as by the system. */
    private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");

    private final HostFiles tasks;
    private final Map<String, Long> timesNs = new HashMap<>();

    /** @param tasks files of the threads of a process, as in {@code /proc}. */
    CompilerTimes(final HostFiles tasks)
    {
        this.tasks = tasks;
    }

    public static CompilerTimes ofThisProcess()
    {
        return new CompilerTimes(new HostFiles(Path.of("/proc/self/task")));
    }

    /** Total in ns since the threads began, with those that have ended as far as they were seen by an earlier call. */
    public long totalNs() throws IOException
    {
        for (final String id : tasks.names(""))
        {
            if (NAMES.contains(tasks.content(id + "/comm").trim()))
            {
                final long timeNs = HostFiles.number(tasks.content(id + "/schedstat"), "");
                if (timeNs >= 0)
                {
                    timesNs.put(id, timeNs);
                }
                else if (Files.isDirectory(tasks.path(id)))
                {
                    throw new NoSuchFileException(tasks.path(id + "/schedstat").toString());
                }
                // Else it ended after the folder was listed: the JVM ends compiler threads that it does not need.
            }
        }

        return timesNs.values().stream().mapToLong(Long::longValue).sum();
    }
}
