package io.clusterecho.platform;

import java.util.concurrent.locks.LockSupport;

import io.clusterecho.host.Processors;
import io.clusterecho.threads.Uninterrupted;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Measures stalls of this process caused by anything below it: scheduler, hypervisor, garbage collector, safepoints. A thread
 * sleeps repeatedly for a fixed interval; the time it oversleeps is a stall. As in jHiccup, a stall longer than the interval is
 * also charged to the sleeps that would have begun within it.
 * <p>
 * A stall of a measured process delayed it through no fault of its own. Lifecycle: construct, {@link #start()}, then any one
 * thread may call {@link #interval(Histogram)} repeatedly, {@link #close()}.
 */
public final class StallMeter implements AutoCloseable
{
    /** Largest recorded stall in ns: one hour. Longer ones count as one hour. */
    public static final long MAX_STALL_NS = 3_600_000_000_000L;

    private static final long SLEEP_NS = 1_000_000L;
    /** For a client on few cores. */
    public static final long CLIENT_SLEEP_NS = 10_000_000L;
    /** For one of several members of a machine with few cores. */
    public static final long MEMBER_SLEEP_NS = 20_000_000L;
    /** An error of 1% is small beside what a stall depends on, and a histogram of a quarter of a megabyte is not. */
    private static final int DIGITS = 2;

    private final long sleepNs;
    private final SingleWriterRecorder recorder = new SingleWriterRecorder(MAX_STALL_NS, DIGITS);
    private final Thread thread;
    private volatile boolean isRunning = true;
    private long shortestNs = Long.MAX_VALUE;

    /**
     * A meter that sleeps for 1 ms at a time, or for longer on few cores: a wake-up takes 25 us there, because the caches are
     * those of the threads that it shares a core with. Shorter stalls are then seen in part, or not at all.
     */
    public static StallMeter of(final long sleepOnFewCoresNs)
    {
        return new StallMeter(Processors.areFew() ? sleepOnFewCoresNs : SLEEP_NS);
    }

    /** A meter that sleeps for 1 ns or more at a time. */
    public StallMeter(final long sleepNs)
    {
        this.sleepNs = sleepNs;
        thread = new Thread(this::run, "stall-meter");
        thread.setDaemon(true);
        thread.setPriority(Thread.MAX_PRIORITY);
    }

    public StallMeter start()
    {
        thread.start();
        return this;
    }

    /** Overwrite a histogram with the stalls since the last call, in ns, and their start and end in epoch ms. */
    public void interval(final Histogram target)
    {
        recorder.getIntervalHistogramInto(target);
    }

    /** An empty histogram in ns for {@link #interval(Histogram)}. */
    public static Histogram newHistogram()
    {
        return new Histogram(MAX_STALL_NS, DIGITS);
    }

    @Override
    public void close()
    {
        isRunning = false;
        LockSupport.unpark(thread);
        Uninterrupted.join(thread);
    }

    private void run()
    {
        while (isRunning)
        {
            final long beginNs = System.nanoTime();
            LockSupport.parkNanos(sleepNs);
            final long sleptNs = System.nanoTime() - beginNs;
            if (!isRunning)
            {
                return;
            }

            onSlept(sleptNs);
        }
    }

    /** A sleep has ended; by one thread. */
    void onSlept(final long sleptNs)
    {
        // The usual lateness of the timer is not a stall: only what exceeds the shortest sleep counts. A sleep may also end early
        // for no reason, which must not become the shortest.
        if (sleptNs >= sleepNs)
        {
            shortestNs = Math.min(shortestNs, sleptNs);
        }
        final long stallNs = Math.min(Math.max(0, sleptNs - shortestNs), MAX_STALL_NS);
        recorder.recordValueWithExpectedInterval(stallNs, sleepNs);
    }
}
