package io.clusterecho.platform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.host.ControlGroups;
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
        final long[] ticks = cpuTicks(lines(root.resolve("proc/stat")));
        long throttledCount = UNKNOWN;
        long throttledMs = UNKNOWN;
        for (final String file : ControlGroups.names(new HostFiles(root), "cpu", "cpu.stat"))
        {
            final List<String> lines = lines(root.resolve(file));
            throttledCount = Math.max(throttledCount, value(lines, "nr_throttled", 1));
            throttledMs = Math.max(throttledMs, value(lines, "throttled_usec", US_PER_MS));
            throttledMs = Math.max(throttledMs, value(lines, "throttled_time", NS_PER_MS));
        }

        final List<String> memory = lines(root.resolve("proc/meminfo"));
        return new MachineUse(
            sum(ticks, 0, 1), sum(ticks, 2, 5, 6), sum(ticks, 3), sum(ticks, 4), sum(ticks, 7), throttledCount, throttledMs,
            pressure(root, "cpu"), pressure(root, "io"), pressure(root, "memory"), memory(memory, "Dirty:"),
            memory(memory, "Writeback:"));
    }

    private static long[] cpuTicks(final List<String> lines)
    {
        final String[] fields = lines.isEmpty() ? new String[0] : lines.get(0).trim().split(" +");
        final long[] ticks = new long[Math.max(0, fields.length - 1)];
        for (int i = 0; i < ticks.length; i++)
        {
            ticks[i] = number(fields[i + 1]);
        }

        return ticks;
    }

    private static long sum(final long[] ticks, final int... indexes)
    {
        long sum = 0;
        for (final int index : indexes)
        {
            if (index >= ticks.length)
            {
                return UNKNOWN;
            }
            sum += ticks[index];
        }

        return sum * MS_PER_TICK;
    }

    private static long pressure(final Path root, final String resource)
    {
        for (final String line : lines(root.resolve("proc/pressure").resolve(resource)))
        {
            if (line.startsWith("some "))
            {
                return number(line.substring(line.indexOf("total=") + "total=".length())) / US_PER_MS;
            }
        }

        return UNKNOWN;
    }

    private static long memory(final List<String> lines, final String key)
    {
        for (final String line : lines)
        {
            if (line.startsWith(key))
            {
                return number(line.substring(key.length()).replace(" kB", "").trim());
            }
        }

        return UNKNOWN;
    }

    private static long value(final List<String> lines, final String key, final long divisor)
    {
        for (final String line : lines)
        {
            if (line.startsWith(key + " "))
            {
                return number(line.substring(key.length() + 1)) / divisor;
            }
        }

        return UNKNOWN;
    }

    private static long number(final String text)
    {
        try
        {
            return Math.max(0, Long.parseLong(text));
        }
        catch (final NumberFormatException ex)
        {
            return 0;
        }
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return List.of(ProcFile.text(file.toString()).split("\n"));
        }
        catch (final IOException ex)
        {
            return List.of();
        }
    }
}
