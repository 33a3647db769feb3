package io.clusterecho.media.counters;

import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

import io.aeron.CncFileDescriptor;

import io.clusterecho.media.driver.DriverFile;

import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.status.CountersReader;

/**
 * The counters of a running media driver, from a mapping of its CnC file. The driver is not disturbed, and the mapping remains
 * valid when the driver ends; its values then no longer change. One thread at a time.
 */
public final class DriverCounters implements AutoCloseable
{
    private final long pid;
    private final long driverPid;
    private final MappedByteBuffer cnc;
    private final CountersReader reader;

    private DriverCounters(final long pid, final MappedByteBuffer cnc, final DirectBuffer metaData)
    {
        this.pid = pid;
        driverPid = CncFileDescriptor.pid(metaData);
        this.cnc = cnc;
        reader = new CountersReader(
            CncFileDescriptor.createCountersMetaDataBuffer(cnc, metaData),
            CncFileDescriptor.createCountersValuesBuffer(cnc, metaData),
            StandardCharsets.US_ASCII);
    }

    /**
     * Map the counters read-only; empty if there is no such driver, or it is not ready.
     *
     * @param pid of the process that runs or uses the driver: the file may be left from an earlier process.
     */
    public static Optional<DriverCounters> map(final Path aeronDir, final long pid)
    {
        return map(aeronDir, pid, FileChannel.MapMode.READ_ONLY);
    }

    /** Map the counters for writing too, for counters that control a driver; else as {@link #map(Path, long)}. */
    public static Optional<DriverCounters> mapForControl(final Path aeronDir, final long pid)
    {
        return map(aeronDir, pid, FileChannel.MapMode.READ_WRITE);
    }

    private static Optional<DriverCounters> map(final Path aeronDir, final long pid, final FileChannel.MapMode mode)
    {
        final File file = file(aeronDir);
        // A file shorter than its fixed part is about to be replaced.
        if (file.length() <= CncFileDescriptor.META_DATA_LENGTH)
        {
            return Optional.empty();
        }

        final MappedByteBuffer cnc;
        try
        {
            cnc = IoUtil.mapExistingFile(file, mode, CncFileDescriptor.CNC_FILE);
        }
        catch (final IllegalStateException ex)
        {
            // Deleted since it was listed.
            return Optional.empty();
        }

        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        final boolean isReady = 0 != metaData.getInt(CncFileDescriptor.cncVersionOffset(0));
        if (!isReady || CncFileDescriptor.pid(metaData) != pid && !DriverFile.isUsedBy(aeronDir, pid))
        {
            IoUtil.unmap(cnc);
            return Optional.empty();
        }

        return Optional.of(new DriverCounters(pid, cnc, metaData));
    }

    /** File with the counters of a driver, which need not exist. */
    public static File file(final Path aeronDir)
    {
        return aeronDir.resolve(CncFileDescriptor.CNC_FILE).toFile();
    }

    /** Pid of the process that runs or uses the driver, or did. */
    public long pid()
    {
        return pid;
    }

    /** Pid of the process that runs the driver, or did; not {@link #pid()} for a driver in a separate process. */
    public long driverPid()
    {
        return driverPid;
    }

    /** @return a reader that must not be used after {@link #close()}. */
    public CountersReader reader()
    {
        return reader;
    }

    @Override
    public void close()
    {
        IoUtil.unmap(cnc);
    }
}
