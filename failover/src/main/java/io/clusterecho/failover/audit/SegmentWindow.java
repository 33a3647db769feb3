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
 * A window of the segment file that is being read, copied into memory. Not mapped, because truncating a mapped file crashes the
 * process that reads it.
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

    /** Switch to a file; false if it does not exist. */
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
     * Load a range of the file into the window, of at most its length.
     *
     * @param isForced true to read it from the file even if the window contains it, because it may have changed.
     * @return length in bytes of the part of the range that is in the file, at most {@code length}.
     */
    int load(final long offset, final int length, final boolean isForced) throws IOException
    {
        if (isForced || offset < windowOffset || offset + length > windowOffset + windowLength)
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

    /** Index in {@link #buffer()} of an offset within the file; the offset must be in the window. */
    int index(final long offset)
    {
        return (int)(offset - windowOffset);
    }

    long fileLength() throws IOException
    {
        return channel.size();
    }

    /** Offset of the first non-zero byte at or after {@code offset}, or -1. Does not change the window. */
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
