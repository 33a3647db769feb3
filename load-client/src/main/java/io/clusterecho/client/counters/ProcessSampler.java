package io.clusterecho.client.counters;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.clusterecho.node.counters.CounterColumn;
import io.clusterecho.node.counters.DriverCounters;
import io.clusterecho.node.counters.DriverSample;
import io.clusterecho.platform.JvmPauses;
import io.clusterecho.platform.ProcessUse;

/**
 * Samples one process again and again, and follows it when it is started anew. One thread.
 */
final class ProcessSampler implements AutoCloseable
{
    private final String name;
    private final Supplier<OptionalLong> pid;
    private final Supplier<Optional<Path>> aeronDir;
    private final JvmPauses ownPauses;
    private final DriverSample driverSample = new DriverSample();
    private DriverCounters driver;
    private long pidNow = -1;
    private long[] before = DriverSample.newValues();
    private long[] now = DriverSample.newValues();

    /**
     * @param name      in the file.
     * @param pid       of the process, empty while it does not run.
     * @param aeronDir  of its media driver, empty while it has none.
     * @param ownPauses if the process is this one, else null.
     */
    ProcessSampler(
        final String name,
        final Supplier<OptionalLong> pid,
        final Supplier<Optional<Path>> aeronDir,
        final JvmPauses ownPauses)
    {
        this.name = name;
        this.pid = pid;
        this.aeronDir = aeronDir;
        this.ownPauses = ownPauses;
    }

    String name()
    {
        return name;
    }

    /**
     * Process of the last sample, or -1 if it did not run.
     */
    long pid()
    {
        return pidNow;
    }

    /**
     * Take a sample; what was taken before is then what sums are counted from.
     */
    void sample()
    {
        final long[] last = before;
        before = now;
        now = last;

        final long pidBefore = pidNow;
        pidNow = pid.get().orElse(-1);
        if (null == driver || driver.pid() != pidNow)
        {
            close();
            driver = -1 == pidNow ? null :
                aeronDir.get().flatMap((dir) -> DriverCounters.map(dir, pidNow)).orElse(null);
        }
        if (pidBefore != pidNow)
        {
            Arrays.fill(before, DriverSample.MISSING);
        }
        Arrays.fill(now, DriverSample.MISSING);
        if (null != driver)
        {
            driverSample.take(driver.reader(), now);
        }
        if (-1 != pidNow)
        {
            takeUse(ProcessUse.of(pidNow));
        }
        if (null != ownPauses)
        {
            put(CounterColumn.COLLECTIONS, ownPauses.collectionCount());
            put(CounterColumn.COLLECTION_MS, ownPauses.collectionTimeMs());
            put(CounterColumn.SAFEPOINTS, ownPauses.safepointCount());
            put(CounterColumn.SAFEPOINT_MS, ownPauses.safepointTimeMs());
        }
    }

    private void takeUse(final ProcessUse use)
    {
        put(CounterColumn.CPU_MS, use.cpuMs());
        put(CounterColumn.RUN_DELAY_MS, use.runDelayNs());
        put(CounterColumn.MAJOR_FAULTS, use.majorFaults());
    }

    private void put(final CounterColumn column, final long value)
    {
        now[column.ordinal()] = value < 0 ? DriverSample.MISSING : value;
    }

    /**
     * What to write of a column after a sample.
     *
     * @param column of the file.
     * @return raw value of a level; growth of a sum, which is at least 0 since counters may be closed meanwhile; or
     * {@link DriverSample#MISSING}.
     */
    long value(final CounterColumn column)
    {
        final long value = now[column.ordinal()];
        if (CounterColumn.Kind.LEVEL == column.kind() || DriverSample.MISSING == value)
        {
            return value;
        }

        final long valueBefore = before[column.ordinal()];
        return DriverSample.MISSING == valueBefore ? DriverSample.MISSING : Math.max(0, value - valueBefore);
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
