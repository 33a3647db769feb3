package io.clusterecho.platform;

import java.util.Arrays;
import java.util.Locale;

import io.clusterecho.host.HostFiles;

/**
 * The columns of {@code machine.csv}: totals of a machine so far, from Linux, and levels of its memory. Times are sums over all
 * cores since the machine started, except those of pressure. A sample has a value for each column, in ms, as a count, or in KiB;
 * unknown ones are {@link #UNKNOWN}.
 */
public enum MachineColumn
{
    USER_MS,
    /** In the kernel, interrupts included. */
    SYSTEM_MS,
    IDLE_MS,
    /** Idle time while a thread waited for a disk. */
    IO_WAIT_MS,
    /** Time withheld by the hypervisor. */
    STEAL_MS,
    /** Periods in which the quota of this process's control group was used up. */
    THROTTLED,
    /** Time for which the group's threads were throttled. */
    THROTTLED_MS,
    /** Time in which some thread waited for a core. */
    CPU_PRESSURE_MS,
    /** Time in which some thread waited for a disk. */
    IO_PRESSURE_MS,
    /** Time in which some thread waited for memory. */
    MEMORY_PRESSURE_MS,
    /** Memory of the page cache that waits to be written to a disk, at the end of the row. */
    DIRTY_MIB,
    /** Memory of the page cache that is being written to a disk, at the end of the row. */
    WRITEBACK_MIB,
    /** Time of one core in all modes, which is that between two readings however late they are. */
    ELAPSED_MS;

    public static final long UNKNOWN = -1;

    private static final long MS_PER_TICK = 10;
    private static final long NS_PER_MS = 1_000_000;
    private static final long US_PER_MS = 1_000;
    private static final double KIB_PER_MIB = 1024;

    /** Name of the column, ending in its unit. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a value counts by itself, in MiB, and not by its growth. */
    public boolean isLevel()
    {
        return this == DIRTY_MIB || this == WRITEBACK_MIB;
    }

    /** Divisor of a raw value to get the unit of the column. */
    public double divisor()
    {
        return isLevel() ? KIB_PER_MIB : 1;
    }

    /** A sample of a host, by the ordinals of the columns. */
    public static long[] sample(final HostFiles files)
    {
        // A line for all cores, then one for each.
        final String[] cores = files.content("proc/stat").split("\ncpu");
        final String[] ticks = cores[0].split("\n", 2)[0].split(" +");
        long throttledCount = UNKNOWN;
        long throttledMs = UNKNOWN;
        for (final String file : files.ofControlGroups("cpu", "cpu.stat"))
        {
            final String group = files.content(file);
            throttledCount = Math.max(throttledCount, HostFiles.number(group, "nr_throttled "));
            throttledMs = Math.max(throttledMs, quotient(HostFiles.number(group, "throttled_usec "), US_PER_MS));
            throttledMs = Math.max(throttledMs, quotient(HostFiles.number(group, "throttled_time "), NS_PER_MS));
        }

        final String memory = files.content("proc/meminfo");
        final long[] values = new long[values().length];
        values[USER_MS.ordinal()] = sumMs(ticks, 1, 2);
        values[SYSTEM_MS.ordinal()] = sumMs(ticks, 3, 6, 7);
        values[IDLE_MS.ordinal()] = sumMs(ticks, 4);
        values[IO_WAIT_MS.ordinal()] = sumMs(ticks, 5);
        values[STEAL_MS.ordinal()] = sumMs(ticks, 8);
        values[THROTTLED.ordinal()] = throttledCount;
        values[THROTTLED_MS.ordinal()] = throttledMs;
        values[CPU_PRESSURE_MS.ordinal()] = pressureMs(files, "cpu");
        values[IO_PRESSURE_MS.ordinal()] = pressureMs(files, "io");
        values[MEMORY_PRESSURE_MS.ordinal()] = pressureMs(files, "memory");
        values[DIRTY_MIB.ordinal()] = HostFiles.number(memory, "Dirty:");
        values[WRITEBACK_MIB.ordinal()] = HostFiles.number(memory, "Writeback:");
        values[ELAPSED_MS.ordinal()] = quotient(sumMs(ticks, 1, 2, 3, 4, 5, 6, 7, 8), Math.max(1, cores.length - 1));
        return values;
    }

    /** Of the line for all cores: its name, then ticks in each mode. */
    private static long sumMs(final String[] ticks, final int... indexes)
    {
        return Arrays.stream(indexes).anyMatch((index) -> index >= ticks.length) ? UNKNOWN :
            MS_PER_TICK * Arrays.stream(indexes).mapToLong((index) -> Long.parseLong(ticks[index])).sum();
    }

    /** Of the first line, which is about some threads; the next one is about all of them. */
    private static long pressureMs(final HostFiles files, final String resource)
    {
        return quotient(HostFiles.number(files.content("proc/pressure/" + resource), "total="), US_PER_MS);
    }

    private static long quotient(final long value, final long divisor)
    {
        return UNKNOWN == value ? UNKNOWN : value / divisor;
    }
}
