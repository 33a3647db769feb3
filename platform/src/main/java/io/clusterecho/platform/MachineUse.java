package io.clusterecho.platform;

import java.io.IOException;
import java.nio.file.Path;

import io.clusterecho.host.HostFiles;

/**
 * Totals of the machine so far, from Linux: time on the cores, time stolen by the hypervisor, and throttling of this process's
 * control group. Times are sums over all cores since the machine started, in ms. Unknown values are
 * {@link ProcessUse#UNKNOWN}.
 *
 * @param systemMs       in the kernel, interrupts included.
 * @param ioWaitMs       idle while a thread waited for a disk.
 * @param throttledCount periods in which the group used up its quota.
 * @param throttledMs    for which its threads were throttled.
 * @param cpuPressureMs  in which at least one thread waited for a core, not summed over cores.
 * @param ioPressureMs   in which at least one thread waited for a disk, not summed over cores.
 * @param memoryPressureMs in which at least one thread waited for memory, not summed over cores.
 * @param dirtyKib       of the page cache now, which wait to be written to a disk.
 * @param writebackKib   of the page cache now, which are being written to a disk.
 */
public record MachineUse(
    long userMs,
    long systemMs,
    long idleMs,
    long ioWaitMs,
    long stealMs,
    long throttledCount,
    long throttledMs,
    long cpuPressureMs,
    long ioPressureMs,
    long memoryPressureMs,
    long dirtyKib,
    long writebackKib)
{
    private static final long UNKNOWN = ProcessUse.UNKNOWN;
    private static final long MS_PER_TICK = 10;
    private static final long NS_PER_MS = 1_000_000;
    private static final long US_PER_MS = 1_000;

    public static MachineUse now()
    {
        return of(Path.of("/"));
    }

    static MachineUse of(final Path root)
    {
        final String[] ticks = text(root, "proc/stat").split("\n", 2)[0].split(" +");
        long throttledCount = UNKNOWN;
        long throttledMs = UNKNOWN;
        for (final String file : new HostFiles(root).ofControlGroups("cpu", "cpu.stat"))
        {
            final String group = text(root, file);
            throttledCount = Math.max(throttledCount, ProcFile.number(group, "nr_throttled "));
            throttledMs = Math.max(throttledMs, quotient(ProcFile.number(group, "throttled_usec "), US_PER_MS));
            throttledMs = Math.max(throttledMs, quotient(ProcFile.number(group, "throttled_time "), NS_PER_MS));
        }

        final String memory = text(root, "proc/meminfo");
        return new MachineUse(
            sumMs(ticks, 1, 2), sumMs(ticks, 3, 6, 7), sumMs(ticks, 4), sumMs(ticks, 5), sumMs(ticks, 8), throttledCount,
            throttledMs, pressureMs(root, "cpu"), pressureMs(root, "io"), pressureMs(root, "memory"),
            ProcFile.number(memory, "Dirty:"), ProcFile.number(memory, "Writeback:"));
    }

    /** Of the line for all cores: its name, then ticks in each mode. */
    private static long sumMs(final String[] ticks, final int... indexes)
    {
        long sum = 0;
        for (final int index : indexes)
        {
            if (index >= ticks.length)
            {
                return UNKNOWN;
            }
            sum += Long.parseLong(ticks[index]);
        }

        return sum * MS_PER_TICK;
    }

    /** Of the first line, which is about some threads; the next one is about all of them. */
    private static long pressureMs(final Path root, final String resource)
    {
        return quotient(ProcFile.number(text(root, "proc/pressure/" + resource), "total="), US_PER_MS);
    }

    private static long quotient(final long value, final long divisor)
    {
        return UNKNOWN == value ? UNKNOWN : value / divisor;
    }

    /** Empty for a file that this kernel does not have. */
    private static String text(final Path root, final String name)
    {
        try
        {
            return ProcFile.text(root.resolve(name).toString());
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
