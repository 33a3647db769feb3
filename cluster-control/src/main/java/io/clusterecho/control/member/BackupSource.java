package io.clusterecho.control.member;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.aeron.AeronCounters;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.ProcessSource;

import org.agrona.concurrent.status.CountersReader;

/**
 * Samples of a backup, with its lag behind the members. On this machine a thread reads the positions every
 * {@link #LOOK_INTERVAL_NS} from mapped counters, and disturbs none of the processes; on other hosts each sample reads them, and
 * a longer lag in between is not seen. A lag in time may be longer by that interval. While the backup does not run, or its host
 * does not answer, its disk has what it had, and the lag grows.
 */
final class BackupSource implements ProcessSource
{
    /** Time between two looks at the positions, in ns. */
    static final long LOOK_INTERVAL_NS = 10_000_000;
    private static final int TURNS_PER_CHECK = 10;
    /** A process has two counters of its position while a recording replaces another. */
    private static final int MAX_COUNTERS = 8;
    private static final long UNKNOWN = -1;

    private final ProcessSource process;
    private final LongSupplier copied;
    private final List<LongSupplier> committed = new ArrayList<>();
    private final List<Position> mapped = new ArrayList<>();
    private final LagHistory history = new LagHistory();
    /** Null for processes on other hosts. */
    private final Thread thread;
    private long lastCopied = UNKNOWN;
    private volatile boolean isRunning = true;

    /** Begin to sample; the process is closed with this. */
    BackupSource(final ProcessSource process, final Backup backup, final List<? extends ClusterMember> members)
    {
        this.process = process;
        if (!backup.hostName().isEmpty())
        {
            copied = () -> backup.counters().map(BackupCounters::position).filter((position) -> position > 0).orElse(UNKNOWN);
            members.forEach((member) ->
                committed.add(() -> member.counters().map(MemberCounters::commitPosition).orElse(UNKNOWN)));
            thread = null;
            return;
        }

        copied = map(backup, true);
        members.forEach((member) -> committed.add(map(member, false)));
        thread = new Thread(this::run, "backup-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private LongSupplier map(final Node node, final boolean isOfBackup)
    {
        final Position position = new Position(node, isOfBackup);
        mapped.add(position);
        return position::value;
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
        if (null != thread || look())
        {
            history.take(values);
        }
        return pid;
    }

    private void run()
    {
        for (int turn = 0; isRunning; turn++)
        {
            if (0 == turn % TURNS_PER_CHECK)
            {
                for (final Position position : mapped)
                {
                    // On few cores, threads that yield to each other would otherwise wait for all of them.
                    Thread.yield();
                    position.check();
                }
            }
            look();
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
        mapped.forEach(Position::unmap);
    }

    /** Whether the lag is known. */
    private synchronized boolean look()
    {
        // First: what is committed in between must not make the lag shorter.
        lastCopied = Math.max(lastCopied, copied.getAsLong());
        long position = UNKNOWN;
        for (final LongSupplier member : committed)
        {
            position = Math.max(position, member.getAsLong());
        }
        final boolean isKnown = position >= 0 && lastCopied >= 0;
        if (isKnown)
        {
            history.sample(System.nanoTime(), position, lastCopied);
        }
        return isKnown;
    }

    @Override
    public void close()
    {
        isRunning = false;
        try
        {
            if (null != thread)
            {
                LockSupport.unpark(thread);
                thread.join();
            }
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
        private final Node node;
        private final boolean isOfBackup;
        private final int[] ids = new int[MAX_COUNTERS];
        private final long[] registrationIds = new long[MAX_COUNTERS];
        private int count;
        private DriverCounters driver;

        private Position(final Node node, final boolean isOfBackup)
        {
            this.node = node;
            this.isOfBackup = isOfBackup;
        }

        private void check()
        {
            final long pidNow = node.knownPid().orElse(UNKNOWN);
            if (null == driver || pidNow != driver.pid())
            {
                unmap();
                driver = UNKNOWN == pidNow ? null : DriverCounters.map(node.aeronDir(), pidNow).orElse(null);
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
            long value = UNKNOWN;
            for (int i = 0; i < count; i++)
            {
                final CountersReader counters = driver.reader();
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
                MemberCounters.Values.isLogRecording(counters.getCounterLabel(id)) :
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
