package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.aeron.cluster.RecordingLog;

/**
 * Damage to what describes the log of a member that Aeron does not notice, or does not name: to its list of terms and snapshots,
 * and to the catalog of its archive. A member with recordings but without a term in its list would begin another log, and vote as
 * one that has nothing.
 */
public final class FolderDamage
{
    /** In the member's folder while it has not taken part in a term: until then, its recordings are an unfinished first copy. */
    private static final String NEW_MEMBER_FILE = "new-member";
    private static final String SEGMENT_SUFFIX = ".rec";
    /** Entries of the list of terms and snapshots begin at multiples of this, in bytes. */
    private static final int ENTRY_ALIGNMENT = 64;

    private FolderDamage()
    {
    }

    /**
     * Look for damage.
     *
     * @return what is wrong, or empty.
     * @throws IOException if the files cannot be read.
     */
    public static Optional<String> of(final Path clusterDir, final Path archiveDir) throws IOException
    {
        final Path list = clusterDir.resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
        if (!Files.exists(list))
        {
            // It is created before the first recording.
            return segments(archiveDir).isEmpty() ? Optional.empty() :
                Optional.of("there are recordings, but no list of terms and snapshots: " + list);
        }

        final long length = Files.size(list);
        if (0 != length % ENTRY_ALIGNMENT)
        {
            return Optional.of("the list of terms and snapshots ends within an entry, at byte " + length + ": " + list);
        }

        try (RecordingLog recordingLog = new RecordingLog(clusterDir.toFile(), false))
        {
            if (null == recordingLog.findLastTerm())
            {
                return Files.exists(clusterDir.resolve(NEW_MEMBER_FILE)) || !hasContent(archiveDir) ? Optional.empty() :
                    Optional.of("there are recordings, but the list of terms and snapshots has no term: " + list);
            }
        }
        catch (final RuntimeException ex)
        {
            return Optional.of("the list of terms and snapshots is malformed (" + ex.getMessage() + "): " + list);
        }

        return Optional.empty();
    }

    /**
     * Note that a member is new if it has no recordings.
     *
     * @throws IOException if the folders cannot be read or written.
     */
    static void noteIfNew(final Path clusterDir, final Path archiveDir) throws IOException
    {
        final Path note = clusterDir.resolve(NEW_MEMBER_FILE);
        if (segments(archiveDir).isEmpty() && !Files.exists(note))
        {
            Files.createFile(note);
        }
    }

    /**
     * Note that a member has taken part in a term, which is in its list.
     *
     * @throws IOException if the folder cannot be written.
     */
    static void noteTerm(final Path clusterDir) throws IOException
    {
        Files.deleteIfExists(clusterDir.resolve(NEW_MEMBER_FILE));
    }

    /** Whether anything was recorded; a file has its full length from its beginning. */
    private static boolean hasContent(final Path archiveDir) throws IOException
    {
        for (final Path segment : segments(archiveDir))
        {
            final ByteBuffer frameLength = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            try (FileChannel file = FileChannel.open(segment))
            {
                if (Integer.BYTES == file.read(frameLength, 0) && 0 != frameLength.getInt(0))
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static List<Path> segments(final Path archiveDir) throws IOException
    {
        try (Stream<Path> files = Files.list(archiveDir))
        {
            return files.filter((file) -> file.toString().endsWith(SEGMENT_SUFFIX)).toList();
        }
    }
}
