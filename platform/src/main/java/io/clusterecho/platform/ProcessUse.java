package io.clusterecho.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Use of the machine by a process so far, from Linux. Unknown values are {@link #UNKNOWN}.
 *
 * @param cpuMs      time on a core, in user and kernel mode, of all threads, including ended ones.
 * @param runDelayNs time for which the present threads were ready to run and had no core.
 * @param majorFaults page faults that waited for a disk.
 * @param memoryKib  private memory: heap, stacks, code.
 * @param sharedKib  resident mapped files: terms and counters of Aeron, and jars.
 * @param openFiles  open files and sockets.
 */
public record ProcessUse(long cpuMs, long runDelayNs, long majorFaults, long memoryKib, long sharedKib, long openFiles)
{
    /**
     * Value if the system does not report it.
     */
    public static final long UNKNOWN = -1;

    /** Linux reports 100 ticks a second to user space, whatever it uses itself. */
    private static final long MS_PER_TICK = 10;
    private static final int MAJOR_FAULTS_INDEX = 9;
    private static final int USER_TIME_INDEX = 11;
    private static final int SYSTEM_TIME_INDEX = 12;

    /**
     * Read the use of a process.
     *
     * @param pid of the process.
     * @return use up to now.
     */
    public static ProcessUse of(final long pid)
    {
        return of(Path.of("/proc", String.valueOf(pid)));
    }

    static ProcessUse of(final Path dir)
    {
        try
        {
            final String stat = Files.readString(dir.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name is in parentheses and may contain anything, also parentheses and blanks.
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            final long ticks = Long.parseLong(fields[USER_TIME_INDEX]) + Long.parseLong(fields[SYSTEM_TIME_INDEX]);
            final List<String> status = Files.readAllLines(dir.resolve("status"), StandardCharsets.ISO_8859_1);
            return new ProcessUse(
                ticks * MS_PER_TICK, runDelayNs(dir.resolve("task")), Long.parseLong(fields[MAJOR_FAULTS_INDEX]),
                sumKib(status, "RssAnon:"), sumKib(status, "RssFile:", "RssShmem:"), count(dir.resolve("fd")));
        }
        catch (final IOException | RuntimeException ex)
        {
            // No such process, or no Linux.
            return new ProcessUse(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        }
    }

    private static long sumKib(final List<String> status, final String... keys)
    {
        long sum = UNKNOWN;
        for (final String line : status)
        {
            for (final String key : keys)
            {
                if (line.startsWith(key))
                {
                    sum = Math.max(0, sum) + Long.parseLong(line.substring(key.length()).replace("kB", "").trim());
                }
            }
        }

        return sum;
    }

    /** Unknown for processes of other users. */
    private static long count(final Path folder)
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.count();
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }

    private static long runDelayNs(final Path tasks)
    {
        long sumNs = UNKNOWN;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks))
        {
            for (final Path thread : threads)
            {
                sumNs = Math.max(0, sumNs) + ofThread(thread);
                // Yield: on few cores, threads that yield to each other would otherwise wait until all are read.
                Thread.yield();
            }
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }

        return sumNs;
    }

    private static long ofThread(final Path thread)
    {
        try
        {
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[1]);
        }
        catch (final IOException | RuntimeException ex)
        {
            // It ended after the folder was listed.
            return 0;
        }
    }
}
