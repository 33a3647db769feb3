package io.clusterecho.control.member;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.aeron.AeronCounters;

import io.clusterecho.media.counters.ProcessSource;


/**
 * Samples of a backup, with its lag behind the members. On this machine a thread reads the positions every
 * {@link #LOOK_INTERVAL_NS} from mapped counters, and disturbs none of the processes; on other hosts each sample reads them, and
 * a longer lag in between is not seen. A lag in time may be longer by that interval. While the backup does not run, or its host
 * does not answer, its disk has what it had, and the lag grows.
 */
public final class BackupSource implements ProcessSource
{
    /** Time between two looks at the positions, in ns. */
    static final long LOOK_INTERVAL_NS = 10_000_000;
    private static final long UNKNOWN = CounterPoll.UNKNOWN;

    private final ProcessSource process;
    private final LongSupplier copied;
    private final List<LongSupplier> committed = new ArrayList<>();
    private final LagHistory history = new LagHistory();
    /** Null for processes on other hosts. */
    private final CounterPoll poll;
    private long lastCopied = UNKNOWN;

    /** The sources of a backup, with its lag behind the members of its cluster; without members the lag is not known. */
    public static List<ProcessSource> of(final Node backup, final List<ClusterMember> members)
    {
        final List<ProcessSource> sources = new ArrayList<>(backup.sources());
        if (!members.isEmpty() && !sources.isEmpty())
        {
            sources.set(0, new BackupSource(sources.get(0), backup, members));
        }
        return sources;
    }

    /** Begin to sample; the process is closed with this. */
    private BackupSource(final ProcessSource process, final Node backup, final List<ClusterMember> members)
    {
        this.process = process;
        if (!backup.hostName().isEmpty())
        {
            copied = () ->
                backup.backupCounters().map(BackupCounters::position).filter((position) -> position > 0).orElse(UNKNOWN);
            members.forEach((member) ->
                committed.add(() -> member.counters().map(MemberCounters::commitPosition).orElse(UNKNOWN)));
            poll = null;
            return;
        }

        final List<CounterPoll.Counters> polled = new ArrayList<>();
        final CounterPoll.Counters own = new CounterPoll.Counters(backup, new int[]{
            AeronCounters.CLUSTER_BACKUP_LIVE_LOG_POSITION_TYPE_ID, AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID });
        polled.add(own);
        // 0 means that it has copied nothing since it started: what its disk has is then not known.
        copied = () -> own.value(0) > 0 ? own.value(0) : UNKNOWN;
        for (final ClusterMember member : members)
        {
            final CounterPoll.Counters counters =
                new CounterPoll.Counters(member, new int[]{ AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID });
            polled.add(counters);
            committed.add(() -> counters.value(0));
        }
        poll = new CounterPoll("backup-watch", polled, LOOK_INTERVAL_NS, this::look);
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
        if (null != poll || look())
        {
            history.take(values);
        }
        return pid;
    }

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
        if (null != poll)
        {
            poll.close();
        }
        process.close();
    }
}
