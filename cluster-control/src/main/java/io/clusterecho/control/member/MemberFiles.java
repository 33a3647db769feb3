package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.node.member.FolderLock;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.platform.LoopDisk;

import org.agrona.IoUtil;

/** The files in the folder of a member that has ended. */
record MemberFiles(Path dir)
{
    private static final String CATALOG_FILE = "archive.catalog";

    boolean hasLog()
    {
        return Files.exists(dir.resolve(MemberFolder.ARCHIVE_DIR).resolve(CATALOG_FILE));
    }

    void wipe()
    {
        forgetSeed();
        delete(dir.resolve(MemberFolder.ARCHIVE_DIR));
        delete(dir.resolve(MemberFolder.CLUSTER_DIR));
    }

    /** What an earlier command asked the member to copy, which may be from a source that is gone. */
    private void forgetSeed()
    {
        try
        {
            MemberSeed.delete(dir);
        }
        catch (final IOException ex)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "cannot delete the request to copy in " + dir + ": " + ex);
        }
    }

    void setAside(final String folder)
    {
        forgetSeed();
        final Path aside = dir.resolve(folder);
        try
        {
            Files.createDirectory(
                aside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            for (final String part : List.of(MemberFolder.ARCHIVE_DIR, MemberFolder.CLUSTER_DIR))
            {
                if (Files.exists(dir.resolve(part)))
                {
                    Files.move(dir.resolve(part), aside.resolve(part), StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "cannot move the data in " + dir + " to " + aside + ": " + ex);
        }
    }

    /** Delete the folder if a member was started in it; true if there was such a folder. */
    boolean deleteAll()
    {
        // One that is killed at once has not made its lock.
        final boolean isMade =
            Stream.of(FolderLock.FILE, LocalNode.LOG_FILE).anyMatch((file) -> Files.isRegularFile(dir.resolve(file)));
        if (isMade && LoopDisk.isMounted(dir))
        {
            // The folder belongs to whoever mounted the disk.
            list().forEach(MemberFiles::delete);
        }
        else if (isMade)
        {
            delete(dir);
        }

        return isMade;
    }

    private List<Path> list()
    {
        try (Stream<Path> files = Files.list(dir))
        {
            return files.toList();
        }
        catch (final IOException ex)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "cannot delete the files in " + dir + ": " + ex);
        }
    }

    /** Delete a file or folder if it exists. */
    static void delete(final Path path)
    {
        IoUtil.delete(
            path.toFile(),
            (ex) ->
            {
                throw new ControlFailure(ControlFailure.NOT_READY, "cannot delete " + path + ": " + ex);
            });
    }
}
