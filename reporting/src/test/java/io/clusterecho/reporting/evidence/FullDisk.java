package io.clusterecho.reporting.evidence;

import java.io.IOException;
import java.nio.file.Path;

/** The file system with limited space: writes beyond it are partial, as on a device, and then fail. */
public final class FullDisk implements Disk
{
    /** The system's message about a full disk. */
    public static final String REASON = "No space left on device";

    private long roomBytes;
    private boolean isBroken;

    /**
     * A disk with some space left.
     *
     * @param roomBytes space left.
     */
    public FullDisk(final long roomBytes)
    {
        this.roomBytes = roomBytes;
    }

    /**
     * Change the space left.
     *
     * @param newRoomBytes from now on.
     */
    public synchronized void roomBytes(final long newRoomBytes)
    {
        roomBytes = newRoomBytes;
    }

    /** From now on, fail to truncate files and to force them to the device. */
    public synchronized void breakDown()
    {
        isBroken = true;
    }

    @Override
    public DiskFile open(final Path path) throws IOException
    {
        return new DiskFile(path)
        {
            @Override
            public void append(final byte[] bytes, final int length) throws IOException
            {
                synchronized (FullDisk.this)
                {
                    final int written = (int)Math.min(roomBytes, length);
                    super.append(bytes, written);
                    roomBytes -= written;
                    if (written < length)
                    {
                        throw new IOException(REASON);
                    }
                }
            }

            @Override
            public void truncate(final long length) throws IOException
            {
                synchronized (FullDisk.this)
                {
                    check();
                    roomBytes += length() - length;
                    super.truncate(length);
                }
            }

            @Override
            public void force() throws IOException
            {
                check();
                super.force();
            }
        };
    }

    private synchronized void check() throws IOException
    {
        if (isBroken)
        {
            throw new IOException("Input/output error");
        }
    }
}
