package io.clusterecho.media.counters;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.clusterecho.platform.ProcessUse;

/** A process of this machine, sampled without disturbing it. One thread. */
public final class LocalProcess implements ProcessSource
{
    /** Suffix of a media driver in a separate process. */
    public static final String DRIVER = "-driver";

    private final String suffix;
    private final Supplier<OptionalLong> pid;
    private final Supplier<Optional<Path>> aeronDir;
    private final DriverSample driverSample = new DriverSample();
    private DriverCounters driver;

    /** A process that has not been sampled; no pid while it does not run, and no folder while it has no media driver. */
    public LocalProcess(
        final String suffix, final Supplier<OptionalLong> pid, final Supplier<Optional<Path>> aeronDir)
    {
        this.suffix = suffix;
        this.pid = pid;
        this.aeronDir = aeronDir;
    }

    @Override
    public String suffix()
    {
        return suffix;
    }

    @Override
    public long take(final long[] values)
    {
        final long pidNow = pid.get().orElse(-1);
        if (null == driver || driver.pid() != pidNow)
        {
            close();
            driver = -1 == pidNow ? null :
                aeronDir.get().flatMap((dir) -> DriverCounters.map(dir, pidNow)).orElse(null);
        }
        Arrays.fill(values, DriverSample.MISSING);
        if (null != driver)
        {
            driverSample.take(driver.reader(), values);
        }
        if (-1 != pidNow)
        {
            takeUse(ProcessUse.of(pidNow), values);
        }

        return pidNow;
    }

    private static void takeUse(final ProcessUse use, final long[] values)
    {
        put(values, CounterColumn.CPU_MS, use.cpuMs());
        put(values, CounterColumn.RUN_DELAY_MS, use.runDelayNs());
        put(values, CounterColumn.MAJOR_FAULTS, use.majorFaults());
        put(values, CounterColumn.MEMORY_MIB, use.memoryKib());
        put(values, CounterColumn.SHARED_MIB, use.sharedKib());
        put(values, CounterColumn.OPEN_FILES, use.openFiles());
    }

    private static void put(final long[] values, final CounterColumn column, final long value)
    {
        values[column.ordinal()] = value < 0 ? DriverSample.MISSING : value;
    }

    @Override
    public void close()
    {
        if (null != driver)
        {
            driver.close();
            driver = null;
        }
    }
}
