package io.clusterecho.platform;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.sun.jna.ptr.IntByReference;

import io.clusterecho.host.CLibrary;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.Io;

/**
 * An ext4 file system in an image file, mounted on a folder by a loop device, that can fail as a disk does: it loses its power,
 * stalls, or is full. Needs root on Linux. Not thread-safe.
 * <p>
 * The ioctls used act on the file system that a folder is on, <em>whichever</em> that is. So they are only sent to a file
 * system on a loop device, through a descriptor whose device number was compared with the folder above: where the mount is
 * missing, they would hit the file system of the machine.
 */
public final class LoopDisk
{
    /** {@code EXT4_IOC_SHUTDOWN}, and the flag that leaves the journal unwritten: ext4.h of the kernel. */
    private static final long SHUTDOWN = 0x8004587DL;
    private static final int WITHOUT_LOG_FLUSH = 2;
    /** {@code FIFREEZE} and {@code FITHAW}: fs.h of the kernel. */
    private static final long FREEZE = 0xC0045877L;
    private static final long THAW = 0xC0045878L;
    private static final String FILLER = "filler";
    private static final int PAGE_LENGTH = 4096;
    private static final long LAST_PAGES_LENGTH = 256 * PAGE_LENGTH;
    private static final int LOOP_MAJOR = 7;
    private static final long MOUNT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int UNMOUNT_TRIALS = 50;
    private static final long UNMOUNT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path dir;
    private final Path image;

    private LoopDisk(final Path dir, final Path image)
    {
        this.dir = dir;
        this.image = image;
    }

    /** Whether a file system is mounted on a folder; false also for one that does not exist. */
    public static boolean isMounted(final Path dir)
    {
        return Io.orElse(false, () ->
        {
            final Path real = dir.toRealPath();
            return null != real.getParent() && deviceOf(real) != deviceOf(real.getParent());
        });
    }

    /**
     * The disk that is mounted on a folder.
     *
     * @param dir the folder itself, not one on the disk.
     * @throws IOException if the folder is not the root of an ext4 file system on a loop device; the message names what it is.
     */
    public static LoopDisk on(final Path dir) throws IOException
    {
        final Path real = dir.toRealPath();
        final long device = deviceOf(real);
        if (!isMounted(real))
        {
            throw new IOException(dir + " is part of a larger file system: no disk of its own is mounted there");
        }
        final Path backing = Path.of("/sys/dev/block", major(device) + ":" + minor(device), "loop/backing_file");
        if (LOOP_MAJOR != major(device) || !Files.isReadable(backing))
        {
            throw new IOException(dir + " is on device " + major(device) + ":" + minor(device) + ", which is not a loop device");
        }
        if (!"ext4".equals(Files.getFileStore(real).type()))
        {
            throw new IOException(dir + " has the file system " + Files.getFileStore(real).type() + ", not ext4");
        }

        return new LoopDisk(real, Path.of(Files.readString(backing).strip()));
    }

    /**
     * Cut the power: no byte reaches the image any more, and each read and write fails, until {@link #remount()}. What was
     * written and not synced is gone then, unless the kernel had written it back.
     *
     * @throws IOException if the disk is not mounted on its folder any more, or the kernel refuses.
     */
    public void shutDown() throws IOException
    {
        control(SHUTDOWN, WITHOUT_LOG_FLUSH);
    }

    /**
     * Stall: each write waits until {@link #thaw()}, and so does a store to a page of a mapped file that was clean. Fails as
     * {@link #shutDown()}, and if it is stalled already.
     */
    public void freeze() throws IOException
    {
        control(FREEZE, 0);
    }

    /** End a stall; fails as {@link #shutDown()}, and if there is none. */
    public void thaw() throws IOException
    {
        control(THAW, 0);
    }

    /** Take all free space, by a file beside those of its user. */
    public void fill() throws IOException
    {
        final Path filler = dir.resolve(FILLER);
        final long length = Files.getFileStore(dir).getUsableSpace() - LAST_PAGES_LENGTH;
        final String refusal = length > 0 ? run("fallocate", "--length", String.valueOf(length), filler.toString()) : "";
        if (!refusal.isEmpty())
        {
            throw new IOException(refusal);
        }
        try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND))
        {
            while (Files.getFileStore(dir).getUsableSpace() > 0)
            {
                channel.write(ByteBuffer.allocate(PAGE_LENGTH));
            }
        }
        catch (final IOException ex)
        {
            if (Files.getFileStore(dir).getUsableSpace() >= PAGE_LENGTH)
            {
                throw ex;
            }
        }
    }

    /** Give back the space of {@link #fill()}, if it was called. */
    public void free() throws IOException
    {
        Files.deleteIfExists(dir.resolve(FILLER));
    }

    private void control(final long request, final int value) throws IOException
    {
        final int descriptor = CLibrary.call("open", dir.toString(), 0);
        try
        {
            final Path opened = Path.of("/proc/self/fd", String.valueOf(descriptor));
            if (LOOP_MAJOR != major(deviceOf(opened)) || deviceOf(opened) == deviceOf(dir.getParent()))
            {
                throw new IOException(dir + " is no longer on its own loop device");
            }
            CLibrary.call("ioctl", descriptor, request, new IntByReference(value));
        }
        catch (final IOException ex)
        {
            throw 0 == CLibrary.errorOf(ex) ? ex :
                new IOException("request " + Long.toHexString(request) + " on " + dir + ": " + ex.getMessage(), ex);
        }
        finally
        {
            CLibrary.call("close", descriptor);
        }
    }

    /**
     * Restore the power: mount the image again, which replays the journal of its file system. Fails while a process uses a file
     * of the disk.
     */
    public void remount() throws IOException
    {
        String refusal = run("umount", dir.toString());
        for (int trial = 1; !refusal.isEmpty() && trial < UNMOUNT_TRIALS; trial++)
        {
            // The kernel is still closing the files of a process that has ended.
            LockSupport.parkNanos(UNMOUNT_PAUSE_NS);
            refusal = run("umount", dir.toString());
        }
        if (refusal.isEmpty())
        {
            // Where another mount namespace has a copy of the mount, the file system is still there, and shut down.
            refusal = run("sh", "-c", "mount -o loop,noatime \"$0\" \"$1\" && touch \"$1\"", image.toString(), dir.toString());
        }
        if (!refusal.isEmpty())
        {
            throw new IOException(refusal);
        }
    }

    /** Run a command; returns how it failed, or empty. */
    private static String run(final String... command) throws IOException
    {
        try
        {
            return new Launch(String.join(" ", command), List.of(command)).run(MOUNT_TIMEOUT_NS).orElse("");
        }
        catch (final UncheckedIOException ex)
        {
            throw ex.getCause();
        }
    }

    private static long deviceOf(final Path path) throws IOException
    {
        return ((Number)Files.getAttribute(path, "unix:dev")).longValue();
    }

    // As glibc packs them.
    private static long major(final long device)
    {
        return device >>> 8 & 0xFFF;
    }

    private static long minor(final long device)
    {
        return device & 0xFF | device >>> 12 & 0xFFF00;
    }
}
