package io.clusterecho.control.member;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.aeron.AeronCounters;

import io.clusterecho.media.counters.ProcessSample;
import org.agrona.CloseHelper;

/**
 * Samples of a backup, with its lag behind the members. On this machine a thread reads the positions every
 * {@link #LOOK_INTERVAL_NS} from mapped counters, and disturbs none of the processes; on other hosts each sample reads them, and
 * a longer lag in between is not seen. A lag in time may be longer by that interval. While the backup does not run, or its host
 * does not answer, its disk has what it had, and the lag grows.
 */
public final class BackupSource implements AutoCloseable
{
    /** Time between two looks at the positions, in ns. */
    static final long LOOK_INTERVAL_NS = 10_000_000;
    private static final long UNKNOWN = CounterPoll.UNKNOWN;

    private final Node backup;
    private final LongSupplier copied;
    private final List<LongSupplier> committed;
    private final LagHistory history = new LagHistory();
    /** Null for processes on other hosts. */
    private final CounterPoll poll;
    private long lastCopied = UNKNOWN;

    public BackupSource(final Node backup, final List<ClusterMember> members)
    {
        this.backup = backup;
        if (!backup.hostName().isEmpty())
        {
            copied = () -> backup.backupCounters().map(BackupCounters::position).orElse(UNKNOWN);
            committed = members.stream().<LongSupplier>map((member) ->
                () -> member.counters().map(MemberCounters::commitPosition).orElse(UNKNOWN)).toList();
            poll = null;
            return;
        }

        final CounterPoll.Counters own = new CounterPoll.Counters(
            backup, AeronCounters.CLUSTER_BACKUP_LIVE_LOG_POSITION_TYPE_ID, AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID);
        final List<CounterPoll.Counters> others = members.stream().map((member) ->
            new CounterPoll.Counters(member, AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID)).toList();
        copied = () -> Math.max(
            own.value(AeronCounters.CLUSTER_BACKUP_LIVE_LOG_POSITION_TYPE_ID),
            own.value(AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID));
        committed = others.stream().<LongSupplier>map((counters) ->
            () -> counters.value(AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID)).toList();
        final List<CounterPoll.Counters> polled = Stream.concat(Stream.of(own), others.stream()).toList();
        poll = new CounterPoll("backup-watch", polled, LOOK_INTERVAL_NS, this::look);
    }

    /** As {@link Node#samples()}, or those that are given if its host does not answer, with the lag in the first one. */
    public synchronized Map<String, ProcessSample> take(final Map<String, ProcessSample> unknown)
    {
        final Map<String, ProcessSample> samples = ControlFailure.orElse(backup::samples, unknown);
        if (null != poll || look())
        {
            history.take(samples.get("").values());
        }
        return samples;
    }

    private synchronized boolean look()
    {
        // First: what is committed in between must not make the lag shorter.
        final long copiedNow = copied.getAsLong();
        // 0 means that it has copied nothing since it started: what its disk has is then not known.
        lastCopied = copiedNow > 0 ? Math.max(lastCopied, copiedNow) : lastCopied;
        long position = UNKNOWN;
        for (int i = 0; i < committed.size(); i++)
        {
            position = Math.max(position, committed.get(i).getAsLong());
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
        CloseHelper.close(poll);
        backup.endSamples();
    }
}
