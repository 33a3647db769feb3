package io.clusterecho.control.member;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.RecordingLog;

import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.Recording;

/**
 * What a member has on disk, read from its files, so also while it is down: the log, the snapshots that it can recover from, and
 * the space of both.
 *
 * @param recordingId   of the log in the archive, {@link #NONE} without a log.
 * @param startPosition of the log, in bytes; 0 unless it was purged.
 * @param termLength    of the log, in bytes.
 * @param segmentLength of the log's files, in bytes.
 * @param snapshots     that are complete, the oldest first.
 * @param diskLength    of all files of log, snapshots and votes, in bytes; the last file of a log counts as full.
 */
public record MemberStorage(
    long recordingId, long startPosition, int termLength, int segmentLength, List<Snapshot> snapshots, long diskLength)
{
    /** Recording id without a log. */
    public static final long NONE = -1;

    static final String CATALOG_FILE = "archive.catalog";
    private static final Pattern SEGMENT_NAME = Pattern.compile("(\\d{1,18})-(\\d{1,18})\\.rec");
    private static final int MODULE_ID = -1;
    private static final int SERVICE_ID = 0;

    /** A snapshot up to a position of the log in bytes; its parts are recordings of the archive. */
    public record Snapshot(long logPosition, List<Long> recordingIds)
    {
    }

    /** Read the files of a member. */
    static MemberStorage read(final Path dir)
    {
        final Path archiveDir = dir.resolve(MemberFolder.ARCHIVE_DIR);
        final Path clusterDir = dir.resolve(MemberFolder.CLUSTER_DIR);
        if (!Files.exists(clusterDir.resolve(RecordingLog.RECORDING_LOG_FILE_NAME)) ||
            !Files.exists(archiveDir.resolve(CATALOG_FILE)))
        {
            return none(length(archiveDir, Map.of()) + length(clusterDir, Map.of()));
        }

        try (RecordingLog recordingLog = new RecordingLog(clusterDir.toFile(), false))
        {
            final Map<Long, Recording> recordings = Recording.in(archiveDir);
            final long recordingId = recordingLog.findLastTermRecordingId();
            final Recording log = recordings.get(recordingId);
            final long diskLength = length(archiveDir, recordings) + length(clusterDir, Map.of());
            return null == log ? none(diskLength) : new MemberStorage(
                recordingId, log.startPosition(), log.termLength(), log.segmentLength(),
                snapshots(recordingLog.entries(), recordings, archiveDir), diskLength);
        }
        catch (final RuntimeException ex)
        {
            throw ControlFailure.notReady("the recording log or catalog in " + dir + " is malformed: " + ex);
        }
    }

    public boolean hasLog()
    {
        return NONE != recordingId;
    }

    /** Position of the oldest of the newest snapshots, or the start of the log if there are fewer, in bytes. */
    public long positionOfNewest(final int count)
    {
        return snapshots.size() < count ? startPosition : snapshots.get(snapshots.size() - count).logPosition;
    }

    /** Begin of the file that contains a position of the log, which a purge before it keeps; 0 without a log. */
    public long segmentStart(final long position)
    {
        return NONE == recordingId ? 0 : AeronArchive.segmentFileBasePosition(
            startPosition, Math.max(startPosition, position), termLength, segmentLength);
    }

    /** Those whose parts are all in the archive; entries of purged snapshots stay in the recording log. */
    private static List<Snapshot> snapshots(
        final List<RecordingLog.Entry> entries, final Map<Long, Recording> recordings, final Path archiveDir)
    {
        final Map<Long, Map<Integer, Long>> parts = new TreeMap<>();
        for (final RecordingLog.Entry entry : entries)
        {
            final Recording recording = recordings.get(entry.recordingId);
            if (RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type && entry.isValid)
            {
                final boolean isThere = null != recording && recording.stopPosition() > recording.startPosition() &&
                    Files.exists(archiveDir.resolve(entry.recordingId + "-0.rec"));
                parts.computeIfAbsent(entry.logPosition, (ignore) -> new HashMap<>())
                    .put(entry.serviceId, isThere ? entry.recordingId : NONE);
            }
        }

        return parts.entrySet().stream()
            .filter((snapshot) -> snapshot.getValue().keySet().containsAll(List.of(MODULE_ID, SERVICE_ID)) &&
                !snapshot.getValue().containsValue(NONE))
            .map((snapshot) -> new Snapshot(snapshot.getKey(), snapshot.getValue().values().stream().sorted().toList()))
            .toList();
    }

    private static MemberStorage none(final long diskLength)
    {
        return new MemberStorage(NONE, 0, 0, 0, List.of(), diskLength);
    }

    private static long length(final Path dir, final Map<Long, Recording> recordings)
    {
        return MemberFolder.list(dir).stream().mapToLong((file) -> length(file.toFile(), recordings)).sum();
    }

    /** A recording's last file is sparse; of one that has ended, the catalog has the length. */
    private static long length(final File file, final Map<Long, Recording> recordings)
    {
        final Matcher name = SEGMENT_NAME.matcher(file.getName());
        final Recording recording = name.matches() ? recordings.get(Long.parseLong(name.group(1))) : null;
        return null == recording || recording.stopPosition() < 0 ? file.length() :
            Math.min(file.length(), Math.max(0, recording.stopPosition() - Long.parseLong(name.group(2))));
    }
}
