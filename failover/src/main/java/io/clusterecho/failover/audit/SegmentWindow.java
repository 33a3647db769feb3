package io.clusterecho.failover.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The segment file that is being read, through a window of it that is copied into memory. Copied rather than mapped, since a
 * file that is cut while it is mapped ends the process.
 */
final class SegmentWindow implements AutoCloseable
{
    private static final int WINDOW_LENGTH = 1 << 19;
    private static final int SCAN_LENGTH = 1 << 16;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(WINDOW_LENGTH);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private FileChannel channel;
    private Path file;
    private long windowOffset;
    private int windowLength;

    /**
     * Go to a file.
     *
     * @param newFile to read.
     * @return false if it does not exist.
     */
    boolean open(final Path newFile) throws IOException
    {
        if (newFile.equals(file))
        {
            return true;
        }

        close();
        if (!Files.exists(newFile))
        {
            return false;
        }
        channel = FileChannel.open(newFile, StandardOpenOption.READ);
        file = newFile;
        windowOffset = 0;
        windowLength = 0;
        return true;
    }

    /**
     * Have a range of the file in the window.
     *
     * @param offset in bytes within the file.
     * @param length in bytes, at most the length of the window.
     * @param isAnew true to read it again from the file, for what may have been written meanwhile.
     * @return bytes of the range that the file has, at most {@code length}.
     */
    int hold(final long offset, final int length, final boolean isAnew) throws IOException
    {
        if (isAnew || offset < windowOffset || offset + length > windowOffset + windowLength)
        {
            bytes.clear();
            while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) > 0)
            {
                Thread.onSpinWait();
            }
            windowOffset = offset;
            windowLength = bytes.position();
        }

        return (int)Math.min(length, windowOffset + windowLength - offset);
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Place in {@link #buffer()} of an offset within the file that is held.
     */
    int index(final long offset)
    {
        return (int)(offset - windowOffset);
    }

    long fileLength() throws IOException
    {
        return channel.size();
    }

    /**
     * Offset of the first byte from {@code offset} on that is not zero, or -1. The window stays as it is.
     */
    long firstNonZero(final long offset) throws IOException
    {
        final ByteBuffer chunk = ByteBuffer.allocate(SCAN_LENGTH);
        long position = offset;
        while (true)
        {
            chunk.clear();
            final int length = channel.read(chunk, position);
            if (length <= 0)
            {
                return -1;
            }
            for (int i = 0; i < length; i++)
            {
                if (0 != chunk.get(i))
                {
                    return position + i;
                }
            }
            position += length;
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(channel);
        channel = null;
        file = null;
    }
}
