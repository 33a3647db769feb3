package io.clusterecho.platform;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

import com.sun.jna.FunctionMapper;
import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;

/**
 * A file of which ranges are written from the page cache to the disk on request. Nothing becomes durable by it: neither the
 * file's length nor the disk's own cache is written. Linux only. One thread.
 */
public final class WriteBackFile implements AutoCloseable
{
    /** {@code O_CLOEXEC}: a child process should not keep a deleted file. */
    private static final int READ_ONLY_CLOSE_ON_EXEC = 0x80000;
    /** {@code ENOENT}. */
    private static final int NO_SUCH_FILE = 2;
    /** {@code SYNC_FILE_RANGE_WRITE}. */
    private static final int WRITE = 2;

    private static final FunctionMapper NAMES =
        (library, method) -> "syncFileRange".equals(method.getName()) ? "sync_file_range" : method.getName();

    private final Path path;
    private final CLibrary library;
    private final int descriptor;

    /**
     * Open a file.
     *
     * @throws NoSuchFileException if it does not exist.
     * @throws IOException         with path and reason if it cannot be opened, or the C library cannot be called.
     */
    public WriteBackFile(final Path path) throws IOException
    {
        this.path = path;
        try
        {
            library = Native.load("c", CLibrary.class, Map.of(Library.OPTION_FUNCTION_MAPPER, NAMES));
            descriptor = library.open(path.toString(), READ_ONLY_CLOSE_ON_EXEC);
        }
        catch (final LastErrorException ex)
        {
            if (NO_SUCH_FILE == ex.getErrorCode())
            {
                throw new NoSuchFileException(path.toString());
            }
            throw new IOException(path + ": " + ex.getMessage(), ex);
        }
        catch (final LinkageError ex)
        {
            throw new IOException("cannot call the C library: " + ex.getMessage(), ex);
        }
    }

    /**
     * Pass the dirty pages of a range to the disk. Returns without waiting for it, unless its queue is full.
     *
     * @param offset in bytes.
     * @param length in bytes; 0 is up to the end.
     * @throws IOException with path and reason if the system call fails.
     */
    public void begin(final long offset, final long length) throws IOException
    {
        try
        {
            library.syncFileRange(descriptor, offset, length, WRITE);
        }
        catch (final LastErrorException ex)
        {
            throw new IOException("sync_file_range " + path + ": " + ex.getMessage(), ex);
        }
        catch (final UnsatisfiedLinkError ex)
        {
            throw new IOException("the C library has no sync_file_range", ex);
        }
    }

    @Override
    public void close()
    {
        library.close(descriptor);
    }

    /** The functions used of the C library. */
    interface CLibrary extends Library
    {
        int open(String path, int flags) throws LastErrorException;

        int syncFileRange(int descriptor, long offset, long length, int flags) throws LastErrorException;

        int close(int descriptor);
    }
}
