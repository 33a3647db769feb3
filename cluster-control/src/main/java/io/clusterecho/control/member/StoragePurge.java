package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.exceptions.AeronException;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.member.ArchiveAccess;
import io.clusterecho.node.member.MemberFolder;

/**
 * Purges the log of a running member or backup before a position, and its older snapshots, through its archive.
 * <p>
 * The archive first moves the start of the log in its catalog, or marks a snapshot as deleted, and deletes files afterwards: a
 * member that is killed in between has files too many, never too few. Those of the log are deleted by the next purge.
 *
 * @param name of the member or the backup, for messages: {@code member 0}.
 */
record StoragePurge(String name, NodeConfig config, Path dir)
{
    private static final long DELETION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final Set<Integer> SNAPSHOT_STREAM_IDS = Set.of(
        ConsensusModule.Configuration.snapshotStreamId(), ClusteredServiceContainer.Configuration.snapshotStreamId());

    /** Purge the log before a position in bytes, and all but so many snapshots, from 1, and wait until files are deleted. */
    void run(final MemberStorage storage, final long position, final int snapshotCount)
    {
        final List<MemberStorage.Snapshot> kept = storage.snapshots().subList(
            Math.max(0, storage.snapshots().size() - snapshotCount), storage.snapshots().size());
        try (AeronArchive archive = AeronArchive.connect(ArchiveAccess.ofCommand(config)))
        {
            // Whatever the others can miss, this member must be able to recover from each snapshot that it keeps.
            purgeLog(archive, storage, storage.segmentStart(Math.min(position, storage.positionOfNewest(snapshotCount))));
            if (kept.size() >= snapshotCount)
            {
                purgeSnapshots(archive, kept);
            }
        }
        catch (final AeronException ex)
        {
            throw ControlFailure.notReady("the archive of " + name + " did not purge: " + ex.getMessage());
        }
    }

    private void purgeLog(final AeronArchive archive, final MemberStorage storage, final long start)
    {
        final long id = storage.recordingId();
        if (start - storage.segmentStart(storage.startPosition()) >= storage.segmentLength())
        {
            archive.detachSegments(id, start);
        }
        if (hasDetached(storage, start))
        {
            // Not purgeSegments: it leaves the files of a purge that was killed.
            archive.deleteDetachedSegments(id);
        }
        ControlFailure.notReadyIf(
            !Deadline.in(DELETION_TIMEOUT_NS).await(() -> !hasDetached(storage, start)),
            "the archive of " + name + " has purged its log before position " + start + ", but not yet deleted its files");
    }

    private boolean hasDetached(final MemberStorage storage, final long start)
    {
        return !MemberFolder.segments(dir.resolve(MemberFolder.ARCHIVE_DIR))
            .getOrDefault(storage.recordingId(), Collections.emptyNavigableMap()).headMap(start, false).isEmpty();
    }

    /** Purge the snapshots before those that stay, and what a snapshot that was never completed has left. */
    private static void purgeSnapshots(final AeronArchive archive, final List<MemberStorage.Snapshot> kept)
    {
        final long firstKept = kept.stream().flatMap((snapshot) -> snapshot.recordingIds().stream())
            .mapToLong(Long::longValue).min().orElse(0);
        final Set<Long> old = new HashSet<>();
        archive.listRecordings(
            0, Integer.MAX_VALUE,
            (controlSessionId, correlationId, id, startTimestamp, stopTimestamp, startPosition, stopPosition, initialTermId,
                segmentLength, termLength, mtuLength, sessionId, streamId, strippedChannel, originalChannel, source) ->
            {
                if (id < firstKept && SNAPSHOT_STREAM_IDS.contains(streamId) && AeronArchive.NULL_POSITION != stopPosition)
                {
                    old.add(id);
                }
            });
        old.forEach(archive::purgeRecording);
    }
}
