package io.clusterecho.failover.lab;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.clusterecho.control.cluster.Cluster;

import org.agrona.concurrent.NanoClock;

/**
 * Samples the disk use of all members and the backup, on a thread of its own, until it is closed.
 */
final class DiskWatch implements AutoCloseable
{
    private static final long INTERVAL_NS = 1_000_000_000L;

    private final DiskSamples samples;
    private final NanoClock clock;
    private final long startNs;
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Begin to sample.
     *
     * @param cluster    running, with a backup.
     * @param startNs    start of the schedule, on that clock.
     */
    DiskWatch(final Cluster cluster, final NanoClock clock, final long startNs, final long durationNs)
    {
        this.clock = clock;
        this.startNs = startNs;
        samples = new DiskSamples(
            cluster.members().stream().map((member) -> (LongSupplier)() -> member.storage().diskLength()).toList(),
            () -> cluster.backup().orElseThrow().storage().diskLength(), INTERVAL_NS, durationNs);
        thread = new Thread(this::run, "disk-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        while (!isClosed)
        {
            samples.take(clock.nanoTime() - startNs);
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    /**
     * What was sampled so far.
     */
    DiskSamples samples()
    {
        return samples;
    }

    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
