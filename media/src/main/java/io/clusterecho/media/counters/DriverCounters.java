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
 * The counters of a media driver that runs, through a mapping of its CnC file. The driver does not notice, and the mapping stays
 * valid when the driver ends; its values then stand still. One thread at a time.
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
     * Map the counters for reading.
     *
     * @param aeronDir of the driver.
     * @param pid      of the process that the driver must be in, or be used by: a file may be one that an earlier process
     *                 left.
     * @return the counters, or empty if there is no such driver, or it is not that far yet.
     */
    public static Optional<DriverCounters> map(final Path aeronDir, final long pid)
    {
        return map(aeronDir, pid, FileChannel.MapMode.READ_ONLY);
    }

    /**
     * Map the counters such that they can be changed too, for those through which a driver's owner asks for something.
     *
     * @param aeronDir of the driver.
     * @param pid      of the process that the driver must be in, or be used by.
     * @return the counters, or empty if there is no such driver, or it is not that far yet.
     */
    public static Optional<DriverCounters> mapForControl(final Path aeronDir, final long pid)
    {
        return map(aeronDir, pid, FileChannel.MapMode.READ_WRITE);
    }

    private static Optional<DriverCounters> map(final Path aeronDir, final long pid, final FileChannel.MapMode mode)
    {
        final File file = file(aeronDir);
        // One that is not as long as its fixed part is about to be replaced.
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
            // Deleted since it was looked at.
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

    /**
     * Where a driver keeps its counters.
     *
     * @param aeronDir of the driver.
     * @return the file, be it there or not.
     */
    public static File file(final Path aeronDir)
    {
        return aeronDir.resolve(CncFileDescriptor.CNC_FILE).toFile();
    }

    /**
     * The process that the driver is, or was, in, or used by.
     */
    public long pid()
    {
        return pid;
    }

    /**
     * The process that the driver is, or was, in.
     *
     * @return its pid, another than {@link #pid()} for a driver that has a process of its own.
     */
    public long driverPid()
    {
        return driverPid;
    }

    /**
     * The counters.
     *
     * @return a reader that must not be used once this is closed.
     */
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
