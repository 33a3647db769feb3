package io.clusterecho.node.member;

import java.util.List;
import java.util.function.Consumer;

import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.RecordingLog;

/**
 * Prints what a backup does, in its log: its source, the snapshots that it has copied, and what made it start over. Each is rare;
 * what is not is in Aeron's counters. Called by the thread of the backup agent.
 */
final class BackupEvents implements ClusterBackupEventsListener
{
    private final Consumer<String> log;
    private int sourceId = -1;
    private boolean isFailed = true;

    /** @param log receives a line for each event. */
    BackupEvents(final Consumer<String> log)
    {
        this.log = log;
    }

    @Override
    public void onBackupQuery()
    {
        // At each interval.
    }

    @Override
    public void onPossibleFailure(final Exception ex)
    {
        if (!isFailed)
        {
            log.accept("starts over: " + ex.getMessage());
        }
        isFailed = true;
    }

    @Override
    public void onBackupResponse(
        final ClusterMember[] clusterMembers,
        final ClusterMember logSourceMember,
        final List<RecordingLog.Snapshot> snapshotsToRetrieve)
    {
        if (isFailed || sourceId != logSourceMember.id())
        {
            log.accept(
                "copies from member " + logSourceMember.id() + (logSourceMember.isLeader() ? ", the leader" : ", a follower"));
        }
        sourceId = logSourceMember.id();
        isFailed = false;
    }

    @Override
    public void onUpdatedRecordingLog(final RecordingLog recordingLog, final List<RecordingLog.Snapshot> snapshotsRetrieved)
    {
        snapshotsRetrieved.stream().mapToLong(RecordingLog.Snapshot::logPosition).max().ifPresent(
            (position) -> log.accept("has the snapshot at position " + position));
    }

    @Override
    public void onLiveLogProgress(final long recordingId, final long recordingPosCounterId, final long logPosition)
    {
        // In a counter.
    }
}
