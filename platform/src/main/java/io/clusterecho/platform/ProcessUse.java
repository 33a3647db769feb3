package io.clusterecho.platform;

import java.nio.file.Path;

import io.clusterecho.host.HostFiles;

/**
 * Use of the machine by a process so far, from Linux. Unknown values are {@link #UNKNOWN}.
 *
 * @param cpuMs      time on a core, in user and kernel mode, of all threads, including ended ones.
 * @param runDelayNs time for which the present threads were ready to run and had no core.
 * @param majorFaults page faults that waited for a disk.
 * @param memoryKib  private memory: heap, stacks, code.
 * @param sharedKib  resident mapped files: terms and counters of Aeron, and jars.
 */
public record ProcessUse(long cpuMs, long runDelayNs, long majorFaults, long memoryKib, long sharedKib, long openFiles)
{
    public static final long UNKNOWN = -1;

    /** Linux reports 100 ticks a second to user space, whatever it uses itself. */
    private static final long MS_PER_TICK = 10;
    private static final int MAJOR_FAULTS_INDEX = 9;
    private static final int USER_TIME_INDEX = 11;
    private static final int SYSTEM_TIME_INDEX = 12;
    private static final int THREADS_PER_YIELD = 4;

    public static ProcessUse of(final long pid)
    {
        return of(new HostFiles(Path.of("/proc", String.valueOf(pid))));
    }

    static ProcessUse of(final HostFiles files)
    {
        try
        {
            final String stat = files.content("stat");
            // The name is in parentheses and may contain anything, also parentheses and blanks.
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            final long ticks = Long.parseLong(fields[USER_TIME_INDEX]) + Long.parseLong(fields[SYSTEM_TIME_INDEX]);
            final String status = files.content("status");
            return new ProcessUse(
                ticks * MS_PER_TICK, runDelayNs(files), Long.parseLong(fields[MAJOR_FAULTS_INDEX]),
                sumKib(status, "RssAnon:"), sumKib(status, "RssFile:", "RssShmem:"), count(files));
        }
        catch (final RuntimeException ex)
        {
            // No such process, or no Linux.
            return new ProcessUse(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        }
    }

    private static long sumKib(final String status, final String... keys)
    {
        long sum = UNKNOWN;
        for (final String key : keys)
        {
            final long kib = HostFiles.number(status, '\n' + key);
            sum = kib < 0 ? sum : Math.max(0, sum) + kib;
        }

        return sum;
    }

    /** Unknown for processes of other users. */
    private static long count(final HostFiles files)
    {
        final String[] open = files.path("fd").toFile().list();
        return null == open ? UNKNOWN : open.length;
    }

    private static long runDelayNs(final HostFiles files)
    {
        final String[] threads = files.path("task").toFile().list();
        if (null == threads)
        {
            return UNKNOWN;
        }

        long sumNs = 0;
        for (int i = 0; i < threads.length; i++)
        {
            // Not one that ended after the folder was listed.
            sumNs += Math.max(0, HostFiles.number(files.content("task/" + threads[i] + "/schedstat"), " "));
            if (i % THREADS_PER_YIELD == 0)
            {
                // On few cores, threads that yield to each other would otherwise wait until all are read.
                Thread.yield();
            }
        }
        return sumNs;
    }
}
