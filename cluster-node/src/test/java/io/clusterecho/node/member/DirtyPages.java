package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.file.Path;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;

import io.clusterecho.testing.Need;

/**
 * What is still to be written to the disk of a file, by the system call {@code cachestat}, which has the same number everywhere.
 */
final class DirtyPages
{
    private static final int CACHESTAT = 451;
    private static final int NO_SUCH_CALL = 38;
    private static final int PAGE_LENGTH = 4096;
    private static final int DIRTY_INDEX = 1;

    private DirtyPages()
    {
    }

    /**
     * Length of the dirty pages of a file that no write-back has begun for; the test is skipped if the kernel does not report it.
     */
    static long length(final Path file) throws IOException
    {
        final CLibrary library = Native.load("c", CLibrary.class);
        final int descriptor = library.open(file.toString(), 0);
        try
        {
            final long[] wholeFile = new long[2];
            final long[] pages = new long[5];
            library.syscall(CACHESTAT, (long)descriptor, wholeFile, pages, 0L);
            return pages[DIRTY_INDEX] * PAGE_LENGTH;
        }
        catch (final LastErrorException ex)
        {
            Need.CACHESTAT.check(ex.getErrorCode() != NO_SUCH_CALL, "this kernel has no system call cachestat");
            throw new IOException(ex);
        }
        finally
        {
            library.close(descriptor);
        }
    }

    interface CLibrary extends Library
    {
        int open(String path, int flags) throws LastErrorException;

        long syscall(long number, Object... arguments) throws LastErrorException;

        int close(int descriptor);
    }
}
