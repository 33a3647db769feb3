package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.BackupProcess;
import io.clusterecho.control.member.ClusterMember;

import org.agrona.concurrent.NanoClock;

/**
 * Samples the disk use of all members and the backup, on a thread of its own, until it is closed.
 */
final class DiskWatch implements AutoCloseable
{
    private static final long INTERVAL_NS = 1_000_000_000L;
    private static final int MAX_SAMPLES = 720;

    private final Cluster cluster;
    private final NanoClock clock;
    private final long startNs;
    private final long spanNs;
    private final List<LifeResult.DiskSample> samples = new ArrayList<>();
    private final long[] lastBytes;
    private final Thread thread;
    private volatile boolean isClosed;
    private long lastBackupBytes;
    private long mostBytes;

    /**
     * Begin to sample.
     *
     * @param cluster    running.
     * @param clock      of the load.
     * @param startNs    start of the schedule, on that clock.
     * @param durationNs expected, in ns: about {@value #MAX_SAMPLES} samples are kept, each the largest of its span.
     */
    DiskWatch(final Cluster cluster, final NanoClock clock, final long startNs, final long durationNs)
    {
        this.cluster = cluster;
        this.clock = clock;
        this.startNs = startNs;
        spanNs = Math.max(INTERVAL_NS, durationNs / MAX_SAMPLES);
        lastBytes = new long[cluster.members().size()];
        thread = new Thread(this::run, "disk-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        long spanEndNs = Long.MIN_VALUE;
        while (!isClosed)
        {
            final LifeResult.DiskSample sample = sample();
            synchronized (this)
            {
                mostBytes = Math.max(mostBytes, sample.allBytes());
                final int last = samples.size() - 1;
                if (sample.atNs() >= spanEndNs)
                {
                    samples.add(sample);
                    spanEndNs = sample.atNs() + spanNs - INTERVAL_NS / 2;
                }
                else if (sample.allBytes() > samples.get(last).allBytes())
                {
                    samples.set(last, sample);
                }
            }
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    private LifeResult.DiskSample sample()
    {
        final List<Long> memberBytes = new ArrayList<>();
        for (int i = 0; i < lastBytes.length; i++)
        {
            final ClusterMember member = cluster.members().get(i);
            lastBytes[i] = lengthOr(lastBytes[i], () -> member.storage().diskLength());
            memberBytes.add(lastBytes[i]);
        }
        final Optional<BackupProcess> backup = cluster.backup();
        if (backup.isPresent())
        {
            lastBackupBytes = lengthOr(lastBackupBytes, () -> backup.get().storage().diskLength());
        }
        return new LifeResult.DiskSample(clock.nanoTime() - startNs, memberBytes, lastBackupBytes);
    }

    /**
     * Files that are being replaced cannot be read: the next sample will have them.
     */
    private static long lengthOr(final long lastBytes, final LongSupplier length)
    {
        try
        {
            return length.getAsLong();
        }
        catch (final RuntimeException ex)
        {
            return lastBytes;
        }
    }

    /**
     * What was sampled so far.
     */
    synchronized List<LifeResult.DiskSample> samples()
    {
        return List.copyOf(samples);
    }

    /**
     * Largest disk use so far, in bytes.
     */
    synchronized long mostBytes()
    {
        return mostBytes;
    }

    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
