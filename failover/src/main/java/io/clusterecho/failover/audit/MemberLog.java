package io.clusterecho.failover.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.aeron.cluster.RecordingLog;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;

import io.clusterecho.node.member.FolderDamage;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.Recording;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.settings.IllegalArgument;

import org.agrona.BitUtil;

/**
 * The log in one member's folder: {@code cluster/recording.log} names the recording, the catalog in {@code archive} its start
 * and stop position. Both are read once, when opened.
 *
 * @param stream  the recorded log, null if there is none.
 * @param problem why the log cannot be read, null if it can or if there is none.
 */
record MemberLog(int memberId, Path folder, Recording stream, List<Snapshot> snapshots, String problem)
{
    private static final String CATALOG_FILE = "archive.catalog";
    private static final int ECHO_SERVICE_ID = 0;

    /** A snapshot of the echo service, taken at a log position. */
    record Snapshot(long logPosition, Recording stream)
    {
    }

    /** A log that cannot be read, or without a problem none. */
    private MemberLog(final int memberId, final Path folder, final String problem)
    {
        this(memberId, folder, null, List.of(), problem);
    }

    /**
     * Find the log in a member's folder, which may be unreadable or absent: see {@link #problem()} and {@link #isEmpty()}.
     *
     * @param index the member's id if the folder's name is not {@code member-N}.
     */
    static MemberLog open(final Path folder, final int index)
    {
        final int memberId = memberId(folder, index);
        final Path archiveDir = folder.resolve("archive");
        final Path clusterDir = folder.resolve("cluster");
        final boolean hasLog = Files.exists(clusterDir.resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
        final boolean hasCatalog = Files.exists(archiveDir.resolve(CATALOG_FILE));
        if (!hasLog || !hasCatalog)
        {
            return new MemberLog(
                memberId, folder, hasLog ? "its catalog is missing" : hasCatalog ? "its recording log is missing" :
                MemberFolder.segments(archiveDir).isEmpty() ? null : "its catalog and recording log are missing");
        }

        try (RecordingLog recordingLog = new RecordingLog(clusterDir.toFile(), false))
        {
            final Optional<String> damage = FolderDamage.of(clusterDir, archiveDir, false, false);
            if (damage.isPresent())
            {
                // What precedes the cut says nothing about the log.
                return new MemberLog(memberId, folder, damage.get());
            }
            final long recordingId = recordingLog.findLastTermRecordingId();
            if (recordingId < 0)
            {
                return new MemberLog(memberId, folder, null);
            }

            final Recording stream = describe(archiveDir, recordingId);
            return null == stream ?
                new MemberLog(memberId, folder, "its catalog has no recording " + recordingId) :
                new MemberLog(memberId, folder, stream, snapshots(recordingLog, archiveDir), null);
        }
        catch (final IOException | RuntimeException ex)
        {
            return new MemberLog(memberId, folder, "its recording log or catalog is malformed (" + ex + ")");
        }
    }

    /** @param index the member's id if the folder's name is not {@code member-N}. */
    static int memberId(final Path folder, final int index)
    {
        return ProcessName.memberId(folder.toAbsolutePath().normalize().getFileName().toString()).orElse(index);
    }

    /** Whether this member never had a log, or was wiped. */
    boolean isEmpty()
    {
        return null == stream && null == problem;
    }

    private static List<Snapshot> snapshots(final RecordingLog recordingLog, final Path archiveDir)
    {
        return recordingLog.entries().stream()
            .filter((one) -> RecordingLog.ENTRY_TYPE_SNAPSHOT == one.type && one.isValid && ECHO_SERVICE_ID == one.serviceId)
            .map((one) -> new Snapshot(one.logPosition, describe(archiveDir, one.recordingId)))
            .filter((snapshot) -> null != snapshot.stream()).toList();
    }

    /** Whether a running archive has purged a position since the catalog was read. */
    static boolean isPurged(final Recording stream, final long position)
    {
        if (!Files.exists(stream.archiveDir().resolve(CATALOG_FILE)))
        {
            return false;
        }
        final Recording now = describe(stream.archiveDir(), stream.id());
        return null == now || now.startPosition() > position;
    }

    private static Recording describe(final Path archiveDir, final long recordingId)
    {
        final Recording found = Recording.in(archiveDir, recordingId);
        if (null != found)
        {
            checkGeometry(found);
        }
        return found;
    }

    /** What a damaged catalog may state, and would loop or throw when the log is read. */
    private static void checkGeometry(final Recording stream)
    {
        LogBufferDescriptor.checkTermLength(stream.termLength());
        final long length = stream.isOpen() ? 0 : stream.stopPosition() - stream.startPosition();
        IllegalArgument.throwIf(
            !BitUtil.isPowerOfTwo(stream.segmentLength()) || stream.segmentLength() < stream.termLength() ||
            stream.startPosition() < 0 || length < 0 ||
            !BitUtil.isAligned(stream.startPosition(), FrameDescriptor.FRAME_ALIGNMENT),
            "it has an impossible recording: " + stream);
    }
}
