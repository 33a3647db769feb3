package io.clusterecho.reporting.evidence;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Where the files of a result are written. A test has one that fills up.
 */
@FunctionalInterface
public interface Disk
{
    /**
     * The file system. Its files can be written by an interrupted thread: a channel would be closed by it.
     */
    Disk FILE_SYSTEM = FileOnDisk::new;

    /**
     * Open a file, empty it if it exists, and make it if it does not.
     *
     * @param file to open.
     * @return the file, to be used by one thread.
     * @throws IOException if it cannot be opened.
     */
    DiskFile open(Path file) throws IOException;

    /**
     * A file that is open, and only appended to.
     */
    interface DiskFile extends AutoCloseable
    {
        /**
         * Append bytes. After a failure some of them may have been written.
         *
         * @param bytes  of which a part is written.
         * @param length in bytes, from the beginning.
         * @throws IOException if not all of them were written.
         */
        void append(byte[] bytes, int length) throws IOException;

        /**
         * Length of the file.
         *
         * @return in bytes.
         * @throws IOException if it is not known.
         */
        long length() throws IOException;

        /**
         * Cut off the end of the file.
         *
         * @param length that stays, in bytes, at most that of the file.
         * @throws IOException if it was not cut.
         */
        void truncate(long length) throws IOException;

        /**
         * Wait until all that was appended has reached the device.
         *
         * @throws IOException if it has not.
         */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }

    /**
     * A file of the file system.
     */
    final class FileOnDisk implements DiskFile
    {
        private final RandomAccessFile file;

        private FileOnDisk(final Path path) throws IOException
        {
            file = new RandomAccessFile(path.toFile(), "rw");
            // A device cannot be cut.
            if (file.length() > 0)
            {
                truncate(0);
            }
        }

        @Override
        public void append(final byte[] bytes, final int length) throws IOException
        {
            file.write(bytes, 0, length);
        }

        @Override
        public long length() throws IOException
        {
            return file.length();
        }

        @Override
        public void truncate(final long length) throws IOException
        {
            // The file's pointer moves with its end.
            file.setLength(length);
        }

        @Override
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
