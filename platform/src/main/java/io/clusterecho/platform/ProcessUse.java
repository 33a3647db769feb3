package io.clusterecho.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process has used of the machine so far, as Linux accounts for it. What cannot be read is {@link #UNKNOWN}.
 *
 * @param cpuMs      time on a core, in user and kernel mode, of all threads, those that ended included.
 * @param runDelayNs time for which the threads that live now were ready to run and had no core.
 * @param majorFaults page faults that waited for a disk.
 * @param memoryKib  of its own that it has in memory now: heap, stacks, code.
 * @param sharedKib  of mapped files that it has in memory now: terms and counters of Aeron, and jars.
 * @param openFiles  files and sockets that it has open now.
 */
public record ProcessUse(long cpuMs, long runDelayNs, long majorFaults, long memoryKib, long sharedKib, long openFiles)
{
    /**
     * What is told when the system does not say.
     */
    public static final long UNKNOWN = -1;

    /** Linux tells user space 100 ticks a second whatever it uses itself. */
    private static final long MS_PER_TICK = 10;
    private static final int MAJOR_FAULTS_INDEX = 9;
    private static final int USER_TIME_INDEX = 11;
    private static final int SYSTEM_TIME_INDEX = 12;

    /**
     * Ask the system.
     *
     * @param pid of the process.
     * @return what it has used.
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
            // The name stands in brackets and may hold anything, brackets and blanks too.
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
                // Where cores are few, threads that yield to one another would wait until all of them are read.
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
            // It ended since the folder was listed.
            return 0;
        }
    }
}
