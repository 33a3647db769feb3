package io.clusterecho.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

import org.HdrHistogram.Histogram;

/**
 * Time that a disk takes to sync one page, appended as an archive writes a log: into a file that has its full length from the
 * start. Only the syncs are timed, not the writes.
 *
 * @param data  times in ns of syncs of the data (fdatasync, file sync level 1).
 * @param all   times in ns of syncs of data and metadata (fsync, file sync level 2).
 */
public record SyncTimes(DiskPlace place, Histogram data, Histogram all)
{
    /** Bytes written before each sync. */
    public static final int PAGE_LENGTH_BYTES = 4096;

    private static final long FILE_LENGTH_BYTES = 64L << 20;
    private static final int WARM_UP_COUNT = 3;
    private static final long MAX_TIME_NS = 24 * 3_600_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Measure each for so many ns, and at least three syncs, unless it is ended; a folder that is not writable is an error. */
    public static SyncTimes measure(final DiskPlace place, final long timeNs, final BooleanSupplier isEnded)
    {
        return Io.call(
            (ex) -> new InvalidSettingException("--dir", place.folder(), "a writable folder (" + Cause.of(ex) + ")"),
            () -> new SyncTimes(place, times(place, false, timeNs, isEnded), times(place, true, timeNs, isEnded)));
    }

    private static Histogram times(
        final DiskPlace place, final boolean isMetadata, final long timeNs, final BooleanSupplier isEnded) throws IOException
    {
        final Histogram times = new Histogram(MAX_TIME_NS, SIGNIFICANT_DIGITS);
        final ByteBuffer page = ByteBuffer.allocateDirect(PAGE_LENGTH_BYTES);
        final Path file = Files.createTempFile(Path.of(place.folder()), "baseline-", ".page");
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw"))
        {
            opened.setLength(FILE_LENGTH_BYTES);
            final FileChannel channel = opened.getChannel();
            final long endNs = System.nanoTime() + timeNs;
            long position = 0;
            for (int i = 0; i < 2 * WARM_UP_COUNT || System.nanoTime() - endNs < 0 && !isEnded.getAsBoolean(); i++)
            {
                if (position == FILE_LENGTH_BYTES)
                {
                    // Pages written before would be cheaper: start with a new file, as an archive does with its next segment.
                    opened.setLength(0);
                    opened.setLength(FILE_LENGTH_BYTES);
                    position = 0;
                }
                page.clear();
                page.putInt(0, i + 1);
                while (page.hasRemaining())
                {
                    position += channel.write(page, position);
                }

                final long beginNs = System.nanoTime();
                channel.force(isMetadata);
                if (i >= WARM_UP_COUNT)
                {
                    times.recordValue(Math.min(MAX_TIME_NS, System.nanoTime() - beginNs));
                }
            }
        }
        finally
        {
            Files.delete(file);
        }

        return times;
    }
}
