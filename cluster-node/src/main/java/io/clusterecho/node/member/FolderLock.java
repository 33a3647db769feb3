package io.clusterecho.node.member;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

import org.agrona.CloseHelper;

import io.clusterecho.host.HostFiles;
import io.clusterecho.settings.Io;

/**
 * The lock of a folder: a file, in that of a member with the pid of the process that holds it. The operating system releases it
 * when the process ends in any way.
 */
public record FolderLock(FileChannel channel) implements AutoCloseable
{
    /** Name of the file, which identifies a folder of a member. */
    public static final String FILE = "lock";

    private static final String PID = "pid=";

    /** Pid of the process that holds the lock of a folder; empty if there is none, or on a system without {@code /proc/locks}. */
    public static OptionalLong holder(final Path dir)
    {
        return Io.orElse(OptionalLong.empty(), () ->
        {
            final Path file = dir.resolve(FILE);
            final String text = Files.exists(file) ? Files.readString(file, UTF_8).trim() : "";
            if (!text.matches(PID + "[0-9]+"))
            {
                return OptionalLong.empty();
            }
            // The pid alone may be that of a later process. Testing the lock by taking it could disturb a member that starts.
            final long pid = Long.parseLong(text.substring(PID.length()));
            return ProcessHandle.of(pid).isPresent() && isHeld(pid, file) ? OptionalLong.of(pid) : OptionalLong.empty();
        });
    }

    /** A line is {@code NUMBER: POSIX ADVISORY WRITE PID MAJOR:MINOR:INODE BEGIN END}. */
    private static boolean isHeld(final long pid, final Path file) throws IOException
    {
        final String held = " WRITE " + pid + " ";
        final String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
        return HostFiles.ofThisMachine().lines("proc/locks").stream()
            .anyMatch((line) -> line.contains(held) && line.contains(inode));
    }

    /** Write the pid of this process, which fails for instance if the disk is full. */
    void writePid() throws IOException
    {
        // In this order a file that has a text already needs no further block of a full disk.
        final ByteBuffer text = ByteBuffer.wrap((PID + ProcessHandle.current().pid() + "\n").getBytes(UTF_8));
        final int length = text.remaining();
        channel.write(text, 0);
        channel.truncate(length);
    }

    /** Lock a file, which is created if missing; empty if another process, or another thread of this one, holds it. */
    public static Optional<FolderLock> of(final Path file) throws IOException
    {
        final FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        boolean isTaken = false;
        try
        {
            isTaken = null != channel.tryLock();
        }
        catch (final OverlappingFileLockException ex)
        {
            // As of another process.
        }
        finally
        {
            CloseHelper.close(isTaken ? null : channel);
        }
        return isTaken ? Optional.of(new FolderLock(channel)) : Optional.empty();
    }

    @Override
    public void close()
    {
        CloseHelper.close(channel);
    }
}
