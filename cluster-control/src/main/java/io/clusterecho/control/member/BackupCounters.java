package io.clusterecho.control.member;

import io.aeron.AeronCounters;
import io.aeron.cluster.ClusterBackup;

import org.agrona.concurrent.status.CountersReader;

/**
 * Counters of a running backup at one moment, read from its driver's CnC file: its state ({@code backing-up} while it copies
 * the log; {@code backup-query} also at each interval), the position up to which it has the log, in bytes, 0 if it has copied
 * none since it started, and how often it copied snapshots.
 */
public record BackupCounters(String state, long position, long snapshotCount, boolean isCopying)
{
    /** @return null if the process has none yet. */
    static BackupCounters of(final CountersReader counters)
    {
        final MemberCounters.Values values = new MemberCounters.Values(counters);
        final long state = values.of(AeronCounters.CLUSTER_BACKUP_STATE_TYPE_ID);
        final long recorded = values.of(AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID);
        final long live = values.of(AeronCounters.CLUSTER_BACKUP_LIVE_LOG_POSITION_TYPE_ID);
        return state < 0 ? null : new BackupCounters(
            MemberCounters.nameOf(ClusterBackup.State.get(state)), Math.max(0, Math.max(live, recorded)),
            Math.max(0, values.of(AeronCounters.CLUSTER_BACKUP_SNAPSHOT_RETRIEVE_COUNT_TYPE_ID)), recorded >= 0);
    }

    public String text()
    {
        return isCopying ? "copies the log" : "copies nothing (" + state + ")";
    }
}
