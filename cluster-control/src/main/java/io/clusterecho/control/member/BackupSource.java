package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.aeron.AeronCounters;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.ProcessSource;

import org.agrona.concurrent.status.CountersReader;

/**
 * Samples of a backup, with its lag behind the members. A thread reads the positions every {@link #LOOK_INTERVAL_NS} from
 * mapped counters, and disturbs none of the processes. A lag in time may be longer by that interval. While the backup does not
 * run, its disk has what it had, and the lag grows.
 */
public final class BackupSource implements ProcessSource
{
    /** Time between two looks at the positions, in ns. */
    static final long LOOK_INTERVAL_NS = 10_000_000;
    private static final int TURNS_PER_CHECK = 10;
    /** A process has two counters of its position while a recording replaces another. */
    private static final int MAX_COUNTERS = 8;
    private static final long UNKNOWN = -1;

    private final ProcessSource process;
    private final Position copied;
    private final List<Position> committed;
    private final LagHistory history = new LagHistory();
    private final Thread thread = new Thread(this::run, "backup-watch");
    private long lastCopied = UNKNOWN;
    private volatile boolean isRunning = true;

    /** Begin to sample; the process is closed with this. */
    public BackupSource(final ProcessSource process, final Backup backup, final List<? extends ClusterMember> members)
    {
        this.process = process;
        copied = new Position(backup::knownPid, backup.aeronDir(), true);
        committed = members.stream().map((member) -> new Position(member::knownPid, member.aeronDir(), false)).toList();
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public String suffix()
    {
        return process.suffix();
    }

    @Override
    public synchronized long take(final long[] values)
    {
        final long pid = process.take(values);
        history.take(values);
        return pid;
    }

    private void run()
    {
        for (int turn = 0; isRunning; turn++)
        {
            if (0 == turn % TURNS_PER_CHECK)
            {
                copied.check();
                for (final Position member : committed)
                {
                    // On few cores, threads that yield to each other would otherwise wait for all of them.
                    Thread.yield();
                    member.check();
                }
            }
            look();
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
        copied.unmap();
        committed.forEach(Position::unmap);
    }

    private synchronized void look()
    {
        // First: what is committed in between must not make the lag shorter.
        lastCopied = Math.max(lastCopied, copied.value());
        long position = UNKNOWN;
        for (final Position member : committed)
        {
            position = Math.max(position, member.value());
        }
        if (position >= 0 && lastCopied >= 0)
        {
            history.sample(System.nanoTime(), position, lastCopied);
        }
    }

    @Override
    public void close()
    {
        isRunning = false;
        LockSupport.unpark(thread);
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        process.close();
    }

    /** The position of one process in the log, by its counters; used by the thread alone. */
    private static final class Position
    {
        private final Supplier<OptionalLong> pid;
        private final Path aeronDir;
        private final boolean isOfBackup;
        private final int[] ids = new int[MAX_COUNTERS];
        private final long[] registrationIds = new long[MAX_COUNTERS];
        private int count;
        private DriverCounters driver;

        private Position(
            final Supplier<OptionalLong> pid, final Path aeronDir, final boolean isOfBackup)
        {
            this.pid = pid;
            this.aeronDir = aeronDir;
            this.isOfBackup = isOfBackup;
        }

        private void check()
        {
            final long pidNow = pid.get().orElse(UNKNOWN);
            if (null == driver || pidNow != driver.pid())
            {
                unmap();
                final Optional<DriverCounters> found =
                    UNKNOWN == pidNow ? Optional.empty() : DriverCounters.map(aeronDir, pidNow);
                driver = found.orElse(null);
            }
            if (null != driver)
            {
                find(driver.reader());
            }
        }

        /** Its counters are looked for here, because their labels cannot be read without garbage. */
        private void find(final CountersReader counters)
        {
            count = 0;
            for (int id = 0; id <= counters.maxCounterId() && count < ids.length; id++)
            {
                final int state = counters.getCounterState(id);
                if (CountersReader.RECORD_UNUSED == state)
                {
                    // No counter behind this one was ever used, and there is room for thousands.
                    break;
                }
                if (CountersReader.RECORD_ALLOCATED == state && isMeant(counters, id))
                {
                    ids[count] = id;
                    registrationIds[count++] = counters.getCounterRegistrationId(id);
                }
            }
        }

        /** 0 of a backup means that it has copied nothing since it started: what its disk has is then not known. */
        private long value()
        {
            if (null == driver)
            {
                return UNKNOWN;
            }

            final CountersReader counters = driver.reader();
            long value = UNKNOWN;
            for (int i = 0; i < count; i++)
            {
                // Another counter may have taken its place.
                if (CountersReader.RECORD_ALLOCATED == counters.getCounterState(ids[i]) &&
                    registrationIds[i] == counters.getCounterRegistrationId(ids[i]))
                {
                    value = Math.max(value, counters.getCounterValue(ids[i]));
                }
            }
            return isOfBackup && 0 == value ? UNKNOWN : value;
        }

        private boolean isMeant(final CountersReader counters, final int id)
        {
            final int typeId = counters.getCounterTypeId(id);
            return isOfBackup ? AeronCounters.CLUSTER_BACKUP_LIVE_LOG_POSITION_TYPE_ID == typeId ||
                AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID == typeId &&
                CounterValues.isLogRecording(counters.getCounterLabel(id)) :
                AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID == typeId;
        }

        private void unmap()
        {
            count = 0;
            if (null != driver)
            {
                driver.close();
                driver = null;
            }
        }
    }
}
