package io.clusterecho.node.member;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.aeron.archive.ArchiveMarkFile;
import io.aeron.cluster.service.ClusterMarkFile;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/**
 * The folder of one member, while a process owns it.
 * <pre>
 *   member-N/  lock      held while the process lives; contains its pid
 *              archive/  the log and the snapshots
 *              cluster/  files of the consensus module: terms, votes, the list of snapshots; state.log, the state of the
 *                        service by log position; and new-member, until the member takes part in a term
 *              link-filter.dat  for fault tests only
 * </pre>
 * The operating system releases the lock when the process ends in any way. A process that holds it therefore knows that all
 * mark files in the folder are stale, and deletes them in place of waiting for them to time out.
 */
public record MemberFolder(NodeConfig config, Path dir, FolderLock lock) implements AutoCloseable
{
    /** Folder of log and snapshots, below the member's. */
    public static final String ARCHIVE_DIR = "archive";

    /** Folder of the consensus module, below the member's. */
    public static final String CLUSTER_DIR = "cluster";

    static final String SEGMENT_SUFFIX = ".rec";
    private static final Pattern SEGMENT_NAME = Pattern.compile("(\\d{1,18})-(\\d{1,18})\\" + SEGMENT_SUFFIX);

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /**
     * Create the folder if it is missing, lock it, and prepare it for a start; rejects one of a running process.
     *
     * @param check called before the old data is deleted; what it throws leaves that as it is.
     */
    public static MemberFolder open(final NodeConfig config, final Runnable check)
    {
        final Path dir = config.memberDir();
        final Path lockFile = dir.resolve(FolderLock.FILE);
        final Function<IOException, InvalidSettingException> failure = (ex) -> new InvalidSettingException(
            NodeSettings.BASE_DIR.key(), config.baseDir() + " (" + Cause.of(ex) + ")", NodeSettings.BASE_DIR.allowed());
        Io.run(failure, () -> makePrivate(dir));
        // Before it is locked: the system releases the lock when the process closes the file.
        final String owner = Io.orElse("", () -> Files.readString(lockFile).trim());
        final Optional<FolderLock> lock = Io.call(failure, () -> FolderLock.of(lockFile));

        final MemberFolder folder = new MemberFolder(config, dir, lock.orElseThrow(() -> new InvalidSettingException(
            "folder " + dir + " is in use by a running member" + (owner.isEmpty() ? "" : " (" + owner + ")") +
            ": stop it first, or set another " + NodeSettings.MEMBER_ID.key() + " or " + NodeSettings.BASE_DIR.key())));
        try
        {
            folder.lock.writePid();
            check.run();
            makePrivate(folder.archiveDir());
            makePrivate(folder.clusterDir());
            FolderDamage.noteIfNew(folder.clusterDir(), folder.archiveDir());
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

    public Path archiveDir()
    {
        return dir.resolve(ARCHIVE_DIR);
    }

    public Path clusterDir()
    {
        return dir.resolve(CLUSTER_DIR);
    }

    /**
     * As {@link FolderDamage#of}. None in a member whose next start deletes its data and copies that of another: it may
     * have been killed while it copied.
     */
    Optional<String> damage() throws IOException
    {
        if (MemberSeed.isIn(dir))
        {
            return Optional.empty();
        }

        // A backup neither votes nor needs to have all of the log; with a key of Aeron only the archive knows the checksums.
        final boolean hasChecksums = !config.isStock() && null == System.getProperty("aeron.archive.replay.checksum") &&
            null == System.getProperty("aeron.archive.record.checksum");
        return FolderDamage.of(clusterDir(), archiveDir(), !config.isBackup(), !config.isBackup() && hasChecksums);
    }

    @Override
    public void close()
    {
        lock.close();
    }

    /** The files in a folder; none if there is no such folder. */
    public static List<Path> list(final Path folder)
    {
        // One that cannot be looked up may have files.
        return Files.notExists(folder) ? List.of() : Io.call("cannot list " + folder, () -> Io.list(folder));
    }

    /** The segment files of an archive by the id of their recording and their first position; none if there is no such folder. */
    public static Map<Long, NavigableMap<Long, Path>> segments(final Path archiveDir)
    {
        final Map<Long, NavigableMap<Long, Path>> recordings = new HashMap<>();
        list(archiveDir).stream().map((file) -> SEGMENT_NAME.matcher(file.getFileName().toString())).filter(Matcher::matches)
            .forEach((name) -> recordings.computeIfAbsent(Long.parseLong(name.group(1)), (id) -> new TreeMap<>())
            .put(Long.parseLong(name.group(2)), archiveDir.resolve(name.group())));
        return recordings;
    }

    /** The mark files of a consensus module and its service. */
    public static List<Path> marks(final Path clusterDir) throws IOException
    {
        return Files.notExists(clusterDir) ? List.of() : Io.list(clusterDir).stream().filter((file) ->
            ClusterMarkFile.isConsensusModuleMarkFile(file, null) || ClusterMarkFile.isServiceMarkFile(file, null)).toList();
    }

    /** Create a folder and its parents, and make it private. Existing parents are unchanged. */
    public static void makePrivate(final Path folder) throws IOException
    {
        if (!Files.isDirectory(folder))
        {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        Files.setPosixFilePermissions(folder, OWNER_ONLY);
    }

    /**
     * Delete the mark files. Their process has ended, as the lock proves: components would wait until these are 10 s old. They
     * have its errors, which a start that is refused keeps.
     */
    void deleteMarks() throws IOException
    {
        Files.deleteIfExists(archiveDir().resolve(ArchiveMarkFile.FILENAME));
        for (final Path mark : marks(clusterDir()))
        {
            Files.delete(mark);
        }
    }
}
