package io.clusterecho.media.counters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.clusterecho.host.HostFiles;
import io.clusterecho.settings.Io;
import org.agrona.CloseHelper;

/** A process of this machine, sampled without disturbing it; of this one, also its JVM without a driver. One thread. */
public final class LocalProcess implements AutoCloseable
{
    /** What follows the name of a process in that of its media driver, if that is another process. */
    public static final String DRIVER = "-driver";

    /** Linux reports 100 ticks a second to user space, whatever it uses itself. */
    private static final long MS_PER_TICK = 10;
    private static final String BOOT_ID = HostFiles.ofThisMachine().content("proc/sys/kernel/random/boot_id");
    private static final int MAJOR_FAULTS_INDEX = 9;
    private static final int USER_TIME_INDEX = 11;
    private static final int SYSTEM_TIME_INDEX = 12;
    private static final int THREADS_PER_YIELD = 4;

    private final Supplier<OptionalLong> pid;
    private final Supplier<Optional<Path>> aeronDir;
    private final DriverSample driverSample = new DriverSample();
    private DriverCounters driver;

    /** A process that has not been sampled; no pid while it does not run, and no folder while it has no media driver. */
    public LocalProcess(final Supplier<OptionalLong> pid, final Supplier<Optional<Path>> aeronDir)
    {
        this.pid = pid;
        this.aeronDir = aeronDir;
    }

    public ProcessSample take()
    {
        final long pidNow = pid.get().orElse(-1);
        if (null == driver || driver.pid() != pidNow)
        {
            close();
            driver = -1 == pidNow ? null :
                aeronDir.get().flatMap((dir) -> DriverCounters.map(dir, pidNow)).orElse(null);
        }
        final long[] values = null == driver ? DriverSample.newValues() : driverSample.take(driver.reader());
        if (-1 != pidNow)
        {
            takeUse(new HostFiles(Path.of("/proc", String.valueOf(pidNow))), values);
        }
        if (ProcessHandle.current().pid() == pidNow)
        {
            put(values, CounterColumn.COLLECTIONS, ProcessCounter.COLLECTIONS.read());
            put(values, CounterColumn.COLLECTION_MS, ProcessCounter.COLLECTION_TIME_MS.read());
            put(values, CounterColumn.SAFEPOINTS, ProcessCounter.SAFEPOINTS.read());
            put(values, CounterColumn.SAFEPOINT_MS, ProcessCounter.SAFEPOINT_TIME_MS.read());
            put(values, CounterColumn.COMPILE_MS, ProcessCounter.COMPILATION_TIME_MS.read());
        }

        return new ProcessSample(pidNow, values);
    }

    /** The use of the machine by a process so far, from its folder in {@code /proc}. */
    static void takeUse(final HostFiles files, final long[] values)
    {
        final String[] fields = files.stat("stat");
        if (0 == fields.length)
        {
            // No such process, or no Linux.
            return;
        }

        final String status = files.content("status");
        put(values, CounterColumn.CPU_MS, MS_PER_TICK *
            (Long.parseLong(fields[USER_TIME_INDEX]) + Long.parseLong(fields[SYSTEM_TIME_INDEX])));
        put(values, CounterColumn.RUN_DELAY_MS, runDelayNs(files));
        put(values, CounterColumn.MAJOR_FAULTS, Long.parseLong(fields[MAJOR_FAULTS_INDEX]));
        final long fileKib = HostFiles.number(status, "\nRssFile:");
        put(values, CounterColumn.MEMORY_MIB, HostFiles.number(status, "\nRssAnon:"));
        put(values, CounterColumn.SHARED_MIB, fileKib < 0 ? -1 : fileKib + HostFiles.number(status, "\nRssShmem:"));
        // Unknown for processes of other users.
        final String[] open = files.path("fd").toFile().list();
        put(values, CounterColumn.OPEN_FILES, null == open ? -1 : open.length);
    }

    /** The disk that a folder is on, and the space that it has left for this user; nothing if there is no such folder. */
    public static void takeDisk(final Path folder, final long[] values)
    {
        final Object device = Io.orElse(null, () -> Files.getAttribute(folder, "unix:dev"));
        if (null != device)
        {
            put(values, CounterColumn.DISK, Objects.hash(BOOT_ID, device) & Integer.MAX_VALUE);
            put(values, CounterColumn.DISK_FREE_MIB, folder.toFile().getUsableSpace());
        }
    }

    private static long runDelayNs(final HostFiles files)
    {
        final String[] threads = files.path("task").toFile().list();
        if (null == threads)
        {
            return -1;
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

    private static void put(final long[] values, final CounterColumn column, final long value)
    {
        values[column.ordinal()] = value < 0 ? DriverSample.MISSING : value;
    }

    @Override
    public void close()
    {
        CloseHelper.close(driver);
        driver = null;
    }
}
