package io.clusterecho.control.member;

import java.util.Locale;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.cluster.ClusterBackup;

import org.agrona.concurrent.status.CountersReader;

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
    /** @return null if the process has none yet. */
    static BackupCounters of(final CountersReader counters)
    {
        return new Collector().collect(counters);
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
