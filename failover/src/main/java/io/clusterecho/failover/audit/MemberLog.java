package io.clusterecho.failover.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.aeron.archive.CatalogView;
import io.aeron.cluster.RecordingLog;

/**
 * The log of one member as its folder describes it: {@code cluster/recording.log} names the recording, the catalog in
 * {@code archive} the extent of it. Reads both once, when opened.
 */
final class MemberLog
{
    private static final Pattern FOLDER_NAME = Pattern.compile("member-(\\d+)");
    private static final String CATALOG_FILE = "archive.catalog";
    private static final int ECHO_SERVICE_ID = 0;

    /**
     * A snapshot of the echo service.
     *
     * @param logPosition up to which the log had been applied.
     * @param stream      that holds it.
     */
    record Snapshot(long logPosition, RecordedStream stream)
    {
    }

    private final int memberId;
    private final Path folder;
    private final RecordedStream stream;
    private final List<Snapshot> snapshots;
    private final String problem;

    private MemberLog(
        final int memberId,
        final Path folder,
        final RecordedStream stream,
        final List<Snapshot> snapshots,
        final String problem)
    {
        this.memberId = memberId;
        this.folder = folder;
        this.stream = stream;
        this.snapshots = snapshots;
        this.problem = problem;
    }

    /**
     * Find the log in a member's folder.
     *
     * @param folder with {@code archive} and {@code cluster} in it; {@code member-N} tells the member's id.
     * @param index  which is the member's id if the name of the folder does not tell.
     * @return what was found; see {@link #problem()} and {@link #isEmpty()}.
     */
    static MemberLog open(final Path folder, final int index)
    {
        final int memberId = memberId(folder, index);
        final Path archiveDir = folder.resolve("archive");
        final Path clusterDir = folder.resolve("cluster");
        final boolean hasLog = Files.exists(clusterDir.resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
        final boolean hasCatalog = Files.exists(archiveDir.resolve(CATALOG_FILE));
        if (!hasLog && !hasCatalog)
        {
            final boolean hasData = holdsSegments(archiveDir);
            return new MemberLog(
                memberId, folder, null, List.of(), hasData ? "its segment files have neither catalog nor recording log" : null);
        }
        if (!hasLog || !hasCatalog)
        {
            return new MemberLog(
                memberId, folder, null, List.of(), hasLog ? "its catalog is missing" : "its recording log is missing");
        }

        try (RecordingLog recordingLog = new RecordingLog(clusterDir.toFile(), false))
        {
            final long recordingId = recordingLog.findLastTermRecordingId();
            if (recordingId < 0)
            {
                return new MemberLog(memberId, folder, null, List.of(), null);
            }

            final RecordedStream stream = describe(archiveDir, recordingId);
            return null == stream ?
                new MemberLog(memberId, folder, null, List.of(), "its catalog does not know recording " + recordingId) :
                new MemberLog(memberId, folder, stream, snapshots(recordingLog, archiveDir), null);
        }
        catch (final RuntimeException ex)
        {
            return new MemberLog(memberId, folder, null, List.of(), "its recording log or catalog is malformed (" + ex + ")");
        }
    }

    /**
     * Id of the member that a folder belongs to.
     *
     * @param folder of the member; {@code member-N} tells its id.
     * @param index  which is the member's id if the name of the folder does not tell.
     */
    static int memberId(final Path folder, final int index)
    {
        final Matcher name = FOLDER_NAME.matcher(folder.toAbsolutePath().normalize().getFileName().toString());
        return name.matches() ? Integer.parseInt(name.group(1)) : index;
    }

    int memberId()
    {
        return memberId;
    }

    Path folder()
    {
        return folder;
    }

    /**
     * The recorded log, null when there is none.
     */
    RecordedStream stream()
    {
        return stream;
    }

    List<Snapshot> snapshots()
    {
        return snapshots;
    }

    /**
     * Why the log cannot be read, null when it can or when there is none.
     */
    String problem()
    {
        return problem;
    }

    /**
     * Whether this member never had a log, or was wiped.
     */
    boolean isEmpty()
    {
        return null == stream && null == problem;
    }

    private static List<Snapshot> snapshots(final RecordingLog recordingLog, final Path archiveDir)
    {
        final List<Snapshot> snapshots = new ArrayList<>();
        for (final RecordingLog.Entry entry : recordingLog.entries())
        {
            if (RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type && entry.isValid && ECHO_SERVICE_ID == entry.serviceId)
            {
                final RecordedStream stream = describe(archiveDir, entry.recordingId);
                if (null != stream)
                {
                    snapshots.add(new Snapshot(entry.logPosition, stream));
                }
            }
        }

        return snapshots;
    }

    private static RecordedStream describe(final Path archiveDir, final long recordingId)
    {
        final RecordedStream[] found = new RecordedStream[1];
        CatalogView.listRecording(
            archiveDir.toFile(),
            recordingId,
            (controlSessionId, correlationId, id, startTimestamp, stopTimestamp, startPosition, stopPosition, initialTermId,
                segmentLength, termLength, mtuLength, sessionId, streamId, strippedChannel, originalChannel, source) ->
                found[0] = new RecordedStream(
                    archiveDir, id, startPosition, stopPosition, initialTermId, segmentLength, termLength, streamId));
        return found[0];
    }

    private static boolean holdsSegments(final Path archiveDir)
    {
        if (!Files.isDirectory(archiveDir))
        {
            return false;
        }

        try (Stream<Path> files = Files.list(archiveDir))
        {
            return files.anyMatch((file) -> file.toString().endsWith(".rec"));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot list " + archiveDir, ex);
        }
    }
}
