package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.cluster.ClusterBackup;

import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.counters.DriverCounters;

/**
 * Counters of a running backup at one moment, read from its driver's CnC file.
 *
 * @param state           of the backup: {@code backing-up} while it copies the log; {@code backup-query} also at each interval.
 * @param position        up to which it has the log, in bytes; 0 if it has copied none since it started.
 * @param snapshotCount   times that it copied snapshots since it started.
 * @param isCopying       whether the log is being recorded now.
 */
public record BackupCounters(String state, long position, long snapshotCount, boolean isCopying)
{
    /**
     * Read the counters of a backup.
     *
     * @param pid      of its process, empty if it does not run.
     * @return the counters, or empty if it does not run or has none yet.
     */
    static Optional<BackupCounters> read(final Path aeronDir, final OptionalLong pid)
    {
        final Optional<DriverCounters> found =
            pid.isPresent() ? DriverCounters.map(aeronDir, pid.getAsLong()) : Optional.empty();
        if (found.isEmpty())
        {
            return Optional.empty();
        }

        try (DriverCounters counters = found.get())
        {
            return Optional.ofNullable(new Collector().collect(counters.reader()));
        }
    }

    /** The state in words. */
    public String text()
    {
        return isCopying ? "copies the log" : "copies nothing (" + state + ")";
    }

    private static final class Collector
    {
        private long state = Aeron.NULL_VALUE;
        private long livePosition;
        private long recordedPosition = Aeron.NULL_VALUE;
        private long snapshotCount;

        BackupCounters collect(final CountersReader counters)
        {
            counters.forEach((id, typeId, key, label) -> onCounter(typeId, label, counters.getCounterValue(id)));
            return state < 0 ? null : new BackupCounters(
                ClusterBackup.State.get(state).name().toLowerCase(Locale.ROOT).replace('_', '-'),
                Math.max(livePosition, recordedPosition), snapshotCount, recordedPosition >= 0);
        }

        private void onCounter(final int typeId, final String label, final long value)
        {
            switch (typeId)
            {
                case AeronCounters.CLUSTER_BACKUP_STATE_TYPE_ID -> state = value;
                case AeronCounters.CLUSTER_BACKUP_LIVE_LOG_POSITION_TYPE_ID -> livePosition = value;
                case AeronCounters.CLUSTER_BACKUP_SNAPSHOT_RETRIEVE_COUNT_TYPE_ID -> snapshotCount = value;
                case AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID ->
                {
                    if (MemberCounters.isLogRecording(label))
                    {
                        recordedPosition = Math.max(recordedPosition, value);
                    }
                }
                default ->
                {
                    // Not of the backup.
                }
            }
        }
    }
}
