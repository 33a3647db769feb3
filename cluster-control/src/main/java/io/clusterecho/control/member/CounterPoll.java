package io.clusterecho.control.member;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.aeron.AeronCounters;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.threads.Uninterrupted;

import org.agrona.CloseHelper;
import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.status.CountersReader;

/**
 * A thread that polls counters of processes on this machine. They are mapped read-only, so the processes are not disturbed, and
 * again after a restart.
 */
final class CounterPoll implements AutoCloseable
{
    /** Value of a counter of a process that does not run, or has none yet. */
    static final long UNKNOWN = -1;

    /** Time between two checks for restarted processes and new counters, in ns. */
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
        long checkedNs = System.nanoTime() - CHECK_INTERVAL_NS;
        while (isRunning)
        {
            if (System.nanoTime() - checkedNs >= CHECK_INTERVAL_NS)
            {
                checkedNs = System.nanoTime();
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
        private final IntHashSet types = new IntHashSet();
        /** Ids, of which a process has two for its position while a recording replaces another. */
        private int[] found = {};
        private DriverCounters driver;

        Counters(final Node node, final int... types)
        {
            this.node = node;
            IntStream.of(types).forEach(this.types::add);
        }

        private void check()
        {
            final long pidNow = node.knownPid().orElse(UNKNOWN);
            if (null == driver || pidNow != driver.pid())
            {
                unmap();
                driver = UNKNOWN == pidNow ? null : DriverCounters.map(node.aeronDir(), pidNow).orElse(null);
            }
            found = null == driver ? new int[0] : find(driver.reader());
        }

        /** Counters are looked for here, because their labels cannot be read without garbage. */
        private int[] find(final CountersReader counters)
        {
            // No counter behind an unused one was ever used, and there is room for thousands.
            return IntStream.rangeClosed(0, counters.maxCounterId())
                .takeWhile((id) -> CountersReader.RECORD_UNUSED != counters.getCounterState(id))
                .filter((id) -> CountersReader.RECORD_ALLOCATED == counters.getCounterState(id))
                .filter((id) -> isMeant(counters, id)).toArray();
        }

        /** Of recordings, only the log's counts: snapshots are recorded too. */
        private boolean isMeant(final CountersReader counters, final int id)
        {
            final int typeId = counters.getCounterTypeId(id);
            return types.contains(typeId) && (AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID != typeId ||
                MemberCounters.Values.isLogRecording(counters.getCounterLabel(id)));
        }

        /** The highest value of the counters of a type; {@link #UNKNOWN} without any. */
        long value(final int typeId)
        {
            long value = UNKNOWN;
            for (final int id : found)
            {
                final CountersReader counters = driver.reader();
                // No other counter has its id, unless the check was over 1 s ago, for which a driver keeps that of a freed one.
                if (CountersReader.RECORD_ALLOCATED == counters.getCounterState(id) && typeId == counters.getCounterTypeId(id))
                {
                    value = Math.max(value, counters.getCounterValue(id));
                }
            }

            return value;
        }

        private void unmap()
        {
            found = new int[0];
            CloseHelper.close(driver);
            driver = null;
        }
    }
}
