package io.clusterecho.control.member;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.aeron.AeronCounters;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.threads.Uninterrupted;

import org.agrona.CloseHelper;
import org.agrona.concurrent.status.CountersReader;

/**
 * A thread that polls counters of processes on this machine. They are mapped read-only, so the processes are not disturbed, and
 * again after a restart.
 */
final class CounterPoll implements AutoCloseable
{
    /** Value of a counter of a process that does not run, or has none yet. */
    static final long UNKNOWN = -1;

    /** Time between two looks for restarted processes and new counters, in ns. */
    private static final long CHECK_INTERVAL_NS = 50_000_000;

    private final List<Counters> polled;
    private final Runnable look;
    private final long intervalNs;
    private final Thread thread;
    private volatile boolean isRunning = true;

    /** Call a task each interval in ns. */
    CounterPoll(final String name, final List<Counters> polled, final long intervalNs, final Runnable look)
    {
        this.polled = polled;
        this.look = look;
        this.intervalNs = intervalNs;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        for (int turn = 0; isRunning; turn++)
        {
            if (0 == turn % (CHECK_INTERVAL_NS / intervalNs))
            {
                for (final Counters counters : polled)
                {
                    // On few cores, threads that yield to each other would otherwise wait for all of them.
                    Thread.yield();
                    counters.check();
                }
            }
            look.run();
            LockSupport.parkNanos(intervalNs);
        }
        polled.forEach(Counters::unmap);
    }

    @Override
    public void close()
    {
        isRunning = false;
        LockSupport.unpark(thread);
        Uninterrupted.join(thread);
    }

    /** Counters of one process; read by the thread alone. */
    static final class Counters
    {
        private final Node node;
        private final int[] types;
        /** A process has two counters of its position while a recording replaces another. */
        private List<Found> found = List.of();
        private DriverCounters driver;

        /** A counter that was found; another has taken its place if that has another registration. */
        private record Found(int id, int typeId, long registrationId)
        {
        }

        Counters(final Node node, final int... types)
        {
            this.node = node;
            this.types = types;
        }

        private void check()
        {
            final long pidNow = node.knownPid().orElse(UNKNOWN);
            if (null == driver || pidNow != driver.pid())
            {
                unmap();
                driver = UNKNOWN == pidNow ? null : DriverCounters.map(node.aeronDir(), pidNow).orElse(null);
            }
            found = null == driver ? List.of() : find(driver.reader());
        }

        /** Counters are looked for here, because their labels cannot be read without garbage. */
        private List<Found> find(final CountersReader counters)
        {
            // No counter behind an unused one was ever used, and there is room for thousands.
            return IntStream.rangeClosed(0, counters.maxCounterId())
                .takeWhile((id) -> CountersReader.RECORD_UNUSED != counters.getCounterState(id))
                .filter((id) -> CountersReader.RECORD_ALLOCATED == counters.getCounterState(id) && isMeant(counters, id))
                .mapToObj((id) -> new Found(id, counters.getCounterTypeId(id), counters.getCounterRegistrationId(id))).toList();
        }

        /** Of recordings, only the log's counts: snapshots are recorded too. */
        private boolean isMeant(final CountersReader counters, final int id)
        {
            final int typeId = counters.getCounterTypeId(id);
            boolean isMeant = false;
            // No stream: for hundreds of counters, twenty times a second, in the process of the load.
            for (int i = 0; i < types.length && !isMeant; i++)
            {
                isMeant = types[i] == typeId;
            }
            return isMeant && (AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID != typeId ||
                MemberCounters.Values.isLogRecording(counters.getCounterLabel(id)));
        }

        /** The highest value of the counters of a type; {@link #UNKNOWN} without any. */
        long value(final int typeId)
        {
            long value = UNKNOWN;
            for (int i = 0; i < found.size(); i++)
            {
                final CountersReader counters = driver.reader();
                final Found one = found.get(i);
                if (typeId == one.typeId && CountersReader.RECORD_ALLOCATED == counters.getCounterState(one.id) &&
                    one.registrationId == counters.getCounterRegistrationId(one.id))
                {
                    value = Math.max(value, counters.getCounterValue(one.id));
                }
            }

            return value;
        }

        private void unmap()
        {
            found = List.of();
            CloseHelper.close(driver);
            driver = null;
        }
    }
}
