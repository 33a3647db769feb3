package io.clusterecho.node.member;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.aeron.Aeron;
import io.aeron.archive.ArchiveMarkFile;
import io.aeron.cluster.service.ClusterMarkFile;

import org.agrona.IoUtil;
import org.agrona.MarkFile;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The folder of one member, while a process owns it.
 * <pre>
 *   member-N/  lock      held while the process lives; contains its pid
 *              archive/  the log and the snapshots
 *              cluster/  files of the consensus module: terms, votes, the list of snapshots; state.log, the state of the
 *                        service by log position; and new-member, until the member takes part in a term
 *              stall.hlog
 *              link-filter.dat  for fault tests only
 * </pre>
 * The operating system releases the lock when the process ends in any way. A process that holds it therefore knows that all
 * mark files in the folder are stale, and need not wait for them to time out.
 */
public final class MemberFolder implements AutoCloseable
{
    /** Folder of log and snapshots, below the member's. */
    public static final String ARCHIVE_DIR = "archive";

    /** Folder of the consensus module, below the member's. */
    public static final String CLUSTER_DIR = "cluster";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path dir;
    private final FolderLock lock;

    private MemberFolder(final Path dir, final FolderLock lock)
    {
        this.dir = dir;
        this.lock = lock;
    }

    /**
     * Create the folder if it is missing, lock it, and prepare it for a start.
     *
     * @return the folder, owned until it is closed.
     * @throws InvalidSettingException if the folder cannot be created, or belongs to a running process.
     * @throws UncheckedIOException    if it cannot be written.
     */
    public static MemberFolder open(final NodeConfig config)
    {
        final Path dir = config.memberDir();
        final FolderLock lock;
        try
        {
            makePrivate(dir);
            lock = FolderLock.open(dir);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(
                NodeSettings.BASE_DIR.key(), config.baseDir() + " (" + Cause.of(ex) + ")", NodeSettings.BASE_DIR.allowed());
        }

        final MemberFolder folder = new MemberFolder(dir, lock);
        try
        {
            folder.lock();
            if (config.value(NodeSettings.DELETE_DATA))
            {
                IoUtil.delete(folder.archiveDir().toFile(), true);
                IoUtil.delete(folder.clusterDir().toFile(), true);
            }
            makePrivate(folder.archiveDir());
            makePrivate(folder.clusterDir());
            FolderDamage.noteIfNew(folder.clusterDir(), folder.archiveDir());
            folder.endStaleMarks();
        }
        catch (final IOException ex)
        {
            folder.close();
            throw new UncheckedIOException(
                "cannot write " + dir + ": " + ex.getMessage() + "; its file system has " + dir.toFile().getUsableSpace() / 1024 +
                " KB free, a member needs " + RoomNeeded.text(new RoomNeeded(config).diskLength()), ex);
        }
        catch (final RuntimeException ex)
        {
            folder.close();
            throw ex;
        }

        return folder;
    }

    /**
     * The folder itself.
     *
     * @return an absolute path.
     */
    public Path dir()
    {
        return dir;
    }

    /**
     * Folder of log and snapshots.
     *
     * @return an absolute path.
     */
    public Path archiveDir()
    {
        return dir.resolve(ARCHIVE_DIR);
    }

    /**
     * Folder of the consensus module.
     *
     * @return an absolute path.
     */
    public Path clusterDir()
    {
        return dir.resolve(CLUSTER_DIR);
    }

    /**
     * As {@link FolderDamage#of(Path, Path)}. None in a member whose next start deletes its data and copies that of another: it
     * may have been killed while it copied.
     */
    Optional<String> damage() throws IOException
    {
        return MemberSeed.isIn(dir) ? Optional.empty() : FolderDamage.of(clusterDir(), archiveDir());
    }

    /**
     * The member takes part in a term, which its list has: from now on a list without one is damaged.
     *
     * @throws IOException if the folder cannot be written.
     */
    void noteTerm() throws IOException
    {
        FolderDamage.noteTerm(clusterDir());
    }

    /** Release the folder. */
    @Override
    public void close()
    {
        lock.close();
    }

    /**
     * Create a folder and its parents, and make it private. Existing parents are unchanged.
     *
     * @param folder to create, or to make private if it exists.
     * @throws IOException if that fails.
     */
    static void makePrivate(final Path folder) throws IOException
    {
        if (!Files.isDirectory(folder))
        {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        Files.setPosixFilePermissions(folder, OWNER_ONLY);
    }

    private void lock() throws IOException
    {
        if (!lock.take())
        {
            final String owner = lock.text();
            throw new InvalidSettingException(
                "folder " + dir + " is in use by a running member" + (owner.isEmpty() ? "" : " (" + owner + ")") +
                ": stop it first, or set another " + NodeSettings.MEMBER_ID.key() + " or " + NodeSettings.BASE_DIR.key());
        }
    }

    private void endStaleMarks() throws IOException
    {
        final int archiveHeader = io.aeron.archive.codecs.mark.MessageHeaderDecoder.ENCODED_LENGTH;
        endStaleMark(
            archiveDir().resolve(ArchiveMarkFile.FILENAME),
            archiveHeader + io.aeron.archive.codecs.mark.MarkFileHeaderDecoder.versionEncodingOffset(),
            archiveHeader + io.aeron.archive.codecs.mark.MarkFileHeaderDecoder.activityTimestampEncodingOffset());

        final List<Path> clusterMarks;
        try (Stream<Path> files = Files.list(clusterDir()))
        {
            clusterMarks = files
                .filter((file) -> ClusterMarkFile.isConsensusModuleMarkFile(file, null) ||
                    ClusterMarkFile.isServiceMarkFile(file, null))
                .toList();
        }

        final int clusterHeader = io.aeron.cluster.codecs.mark.MessageHeaderDecoder.ENCODED_LENGTH;
        for (final Path mark : clusterMarks)
        {
            endStaleMark(
                mark,
                clusterHeader + io.aeron.cluster.codecs.mark.MarkFileHeaderDecoder.versionEncodingOffset(),
                clusterHeader + io.aeron.cluster.codecs.mark.MarkFileHeaderDecoder.activityTimestampEncodingOffset());
        }
    }

    private static void endStaleMark(final Path mark, final int versionOffset, final int timestampOffset) throws IOException
    {
        if (!Files.exists(mark))
        {
            return;
        }

        if (Files.size(mark) < timestampOffset + Long.BYTES)
        {
            Files.delete(mark);
            return;
        }

        final MappedByteBuffer mapped = IoUtil.mapExistingFile(mark.toFile(), mark.toString());
        final int version;
        try (MarkFile file = new MarkFile(mapped, versionOffset, timestampOffset))
        {
            version = file.versionVolatile();
            // A start that failed half-way leaves a time in the far future, which would look alive for ever.
            file.timestampRelease(Aeron.NULL_VALUE);
            mapped.force();
        }

        if (0 == version)
        {
            // Its writer died before it was ready: it has no content, and a component would reject it.
            Files.delete(mark);
        }
    }
}
