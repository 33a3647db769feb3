package io.clusterecho.reporting.evidence;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** Where the files of a result are written. Tests replace it with a disk that fills up. */
@FunctionalInterface
public interface Disk
{
    /** The file system. */
    Disk FILE_SYSTEM = DiskFile::new;

    /** Open a file for one thread. An existing file is emptied, a missing one created. */
    DiskFile open(Path file) throws IOException;

    /**
     * An open file that is only appended to. Interrupted threads can write to it, because it does not use channels, which an
     * interrupt would close.
     */
    class DiskFile implements AutoCloseable
    {
        private final RandomAccessFile file;

        protected DiskFile(final Path path) throws IOException
        {
            file = new RandomAccessFile(path.toFile(), "rw");
            // A device cannot be truncated.
            if (file.length() > 0)
            {
                file.setLength(0);
            }
        }

        /** Append bytes from the beginning of an array. After a failure some of them may have been written. */
        public void append(final byte[] bytes, final int length) throws IOException
        {
            file.write(bytes, 0, length);
        }

        /** Length of the file in bytes. */
        public long length() throws IOException
        {
            return file.length();
        }

        /** Cut the file off at a length in bytes, at most its own. */
        public void truncate(final long length) throws IOException
        {
            // The file pointer is always at the end.
            file.setLength(length);
        }

        /** Wait until all appended data has reached the device. */
        public void force() throws IOException
        {
            file.getFD().sync();
        }

        @Override
        public void close() throws IOException
        {
            file.close();
        }
    }
}
