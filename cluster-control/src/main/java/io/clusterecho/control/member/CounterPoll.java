package io.clusterecho.control.member;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.media.counters.DriverCounters;

import org.agrona.concurrent.status.CountersReader;

/**
 * A thread that polls counters of processes on this machine. They are mapped read-only, so the processes are not disturbed, and
 * again after a restart.
 */
final class CounterPoll implements AutoCloseable
{
    /** Value of a counter of a process that does not run, or has none yet. */
    static final long UNKNOWN = -1;

    /** Chooses counters by their ids. */
    @FunctionalInterface
    interface Filter
    {
        boolean test(CountersReader counters, int id);
    }

    private final List<Counters> polled;
    private final Runnable look;
    private final long intervalNs;
    private final int turnsPerCheck;
    private final Thread thread;
    private volatile boolean isRunning = true;

    /** Call a task each interval in ns, and look for restarted processes and new counters each so many turns. */
    CounterPoll(
        final String name, final List<Counters> polled, final long intervalNs, final int turnsPerCheck, final Runnable look)
    {
        this.polled = polled;
        this.look = look;
        this.intervalNs = intervalNs;
        this.turnsPerCheck = turnsPerCheck;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        for (int turn = 0; isRunning; turn++)
        {
            if (0 == turn % turnsPerCheck)
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
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Counters of one process; read by the thread alone. */
    static final class Counters
    {
        /** A process has two counters of its position while a recording replaces another. */
        private static final int MAX_COUNTERS = 8;

        private final Node node;
        private final List<Filter> filters;
        private final int[][] ids;
        private final long[][] registrationIds;
        private final int[] counts;
        private DriverCounters driver;

        /** Counters of the filters. */
        Counters(final Node node, final List<Filter> filters)
        {
            this.node = node;
            this.filters = filters;
            ids = new int[filters.size()][MAX_COUNTERS];
            registrationIds = new long[filters.size()][MAX_COUNTERS];
            counts = new int[filters.size()];
        }

        /** Counters of types. */
        static Counters ofTypes(final Node node, final int... typeIds)
        {
            return new Counters(node, Arrays.stream(typeIds).<Filter>mapToObj(
                (typeId) -> (counters, id) -> counters.getCounterTypeId(id) == typeId).toList());
        }

        private void check()
        {
            final long pidNow = node.knownPid().orElse(UNKNOWN);
            if (null == driver || pidNow != driver.pid())
            {
                unmap();
                driver = UNKNOWN == pidNow ? null : DriverCounters.map(node.aeronDir(), pidNow).orElse(null);
            }
            for (int i = 0; null != driver && i < counts.length; i++)
            {
                counts[i] = find(driver.reader(), filters.get(i), ids[i], registrationIds[i]);
            }
        }

        /** Counters are looked for here, because their labels cannot be read without garbage. */
        private static int find(
            final CountersReader counters, final Filter filter, final int[] found, final long[] registrationIds)
        {
            int count = 0;
            for (int id = 0; id <= counters.maxCounterId() && count < found.length; id++)
            {
                final int state = counters.getCounterState(id);
                if (CountersReader.RECORD_UNUSED == state)
                {
                    // No counter behind this one was ever used, and there is room for thousands.
                    break;
                }
                if (CountersReader.RECORD_ALLOCATED == state && filter.test(counters, id))
                {
                    found[count] = id;
                    registrationIds[count++] = counters.getCounterRegistrationId(id);
                }
            }

            return count;
        }

        /** The highest value of the counters that a filter, by its index, means; {@link #UNKNOWN} without any. */
        long value(final int index)
        {
            long value = UNKNOWN;
            for (int i = 0; i < counts[index]; i++)
            {
                final CountersReader counters = driver.reader();
                final int id = ids[index][i];
                // Another counter may have taken its place.
                if (CountersReader.RECORD_ALLOCATED == counters.getCounterState(id) &&
                    registrationIds[index][i] == counters.getCounterRegistrationId(id))
                {
                    value = Math.max(value, counters.getCounterValue(id));
                }
            }

            return value;
        }

        private void unmap()
        {
            Arrays.fill(counts, 0);
            if (null != driver)
            {
                driver.close();
                driver = null;
            }
        }
    }
}
