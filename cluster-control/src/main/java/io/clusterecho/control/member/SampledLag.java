package io.clusterecho.control.member;

import java.util.List;

import io.clusterecho.media.counters.ProcessSource;

/**
 * Samples of a backup on another host, with its lag behind the members as each sample finds it: a lag in time may be longer by
 * the time from one sample to the next, and a longer lag in between is not seen. While the backup does not run, or its host does
 * not answer, its disk has what it had, and the lag grows. One thread.
 */
public final class SampledLag implements ProcessSource
{
    private final ProcessSource process;
    private final Backup backup;
    private final List<? extends ClusterMember> members;
    private final LagHistory history = new LagHistory();
    private long lastCopied;

    /** @param process of the backup; closed with this. */
    public SampledLag(final ProcessSource process, final Backup backup, final List<? extends ClusterMember> members)
    {
        this.process = process;
        this.backup = backup;
        this.members = members;
    }

    @Override
    public String suffix()
    {
        return process.suffix();
    }

    @Override
    public long take(final long[] values)
    {
        final long pid = process.take(values);
        // First: what is committed in between must not make the lag shorter.
        lastCopied = Math.max(lastCopied, backup.counters().map(BackupCounters::position).orElse(0L));
        long committed = -1;
        for (final ClusterMember member : members)
        {
            committed = Math.max(committed, member.counters().map(MemberCounters::commitPosition).orElse(-1L));
        }
        if (lastCopied > 0 && committed >= 0)
        {
            history.sample(System.nanoTime(), committed, lastCopied);
            history.take(values);
        }
        return pid;
    }

    @Override
    public void close()
    {
        process.close();
    }
}
