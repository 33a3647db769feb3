package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import io.aeron.cluster.RecordingLog;

/**
 * Damage to the data of a member that Aeron does not notice, does not name, or notices only after a vote: to its list of terms
 * and snapshots, to the catalog of its archive, and to the recordings that both name. A member with recordings but without a term
 * in its list would begin another log, and vote as one that has nothing.
 */
public final class FolderDamage
{
    /** In the member's folder while it has not taken part in a term: until then, its recordings are an unfinished first copy. */
    private static final String NEW_MEMBER_FILE = "new-member";
    private static final String CATALOG_FILE = "archive.catalog";
    /** Entries of the list of terms and snapshots begin at multiples of this, in bytes. */
    private static final int ENTRY_ALIGNMENT = 64;

    /**
     * What is damaged, by the files that describe the recordings, and by what a member starts from if it is about to; empty if
     * nothing is. With checksums, of an archive that records them, it must not run.
     */
    public static Optional<String> of(
        final Path clusterDir, final Path archiveDir, final boolean isStarting, final boolean hasChecksums) throws IOException
    {
        final Path list = clusterDir.resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
        final Path catalog = archiveDir.resolve(CATALOG_FILE);
        final boolean hasSegments = !MemberFolder.segments(archiveDir).isEmpty();
        if (!Files.exists(list))
        {
            // It is created before the first recording.
            return hasSegments ?
                Optional.of("there are recordings, but no list of terms and snapshots: " + list) : Optional.empty();
        }

        final long length = Files.size(list);
        if (0 != length % ENTRY_ALIGNMENT)
        {
            return Optional.of("the list of terms and snapshots ends within an entry, at byte " + length + ": " + list);
        }
        if (!Files.exists(catalog))
        {
            return hasSegments || length > 0 ? Optional.of("there are recordings, but no catalog: " + catalog) : Optional.empty();
        }

        try (RecordingLog recordingLog = new RecordingLog(clusterDir.toFile(), false))
        {
            if (null == recordingLog.findLastTerm())
            {
                return Files.exists(clusterDir.resolve(NEW_MEMBER_FILE)) ||
                    !IntactFrames.areIn(archiveDir) ? Optional.empty() :
                    Optional.of("there are recordings, but the list of terms and snapshots has no term: " + list);
            }
            final Optional<String> ofCatalog = CatalogCheck.problem(catalog, hasChecksums);
            return ofCatalog.isPresent() || !isStarting ? ofCatalog :
                StartData.problem(recordingLog, archiveDir, hasChecksums, StateLog.lastPosition(clusterDir));
        }
        catch (final RuntimeException ex)
        {
            return Optional.of("the list of terms and snapshots is malformed (" + ex.getMessage() + "): " + list);
        }
    }

    /** Note that a member is new if it has no recordings. */
    static void noteIfNew(final Path clusterDir, final Path archiveDir) throws IOException
    {
        final Path note = clusterDir.resolve(NEW_MEMBER_FILE);
        if (MemberFolder.segments(archiveDir).isEmpty() && !Files.exists(note))
        {
            Files.createFile(note);
        }
    }

    /** Note that a member takes part in a term, which its list has: from now on a list without one is damaged. */
    static void noteTerm(final Path clusterDir) throws IOException
    {
        Files.deleteIfExists(clusterDir.resolve(NEW_MEMBER_FILE));
    }
}
