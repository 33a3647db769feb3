package io.clusterecho.media.driver;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import io.aeron.CncFileDescriptor;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.exceptions.AeronException;

import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.CountersReader;

/**
 * Passes the errors that a C driver writes to its error log on to an error handler, as a Java driver does itself. For one thread.
 */
final class DriverErrors implements AutoCloseable
{
    private final MappedByteBuffer cnc;
    private final AtomicBuffer log;
    private final CountersReader counters;
    private final ErrorHandler errorHandler;
    private long reportedCount;
    private long reportedToMs;

    private DriverErrors(final MappedByteBuffer cnc, final ErrorHandler errorHandler)
    {
        this.cnc = cnc;
        this.errorHandler = errorHandler;
        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        log = CncFileDescriptor.createErrorLogBuffer(cnc, metaData);
        counters = new CountersReader(
            CncFileDescriptor.createCountersMetaDataBuffer(cnc, metaData),
            CncFileDescriptor.createCountersValuesBuffer(cnc, metaData));
    }

    /**
     * The errors of a driver that is ready.
     *
     * @param errorHandler receives each error; called by {@link #report()}.
     */
    static DriverErrors of(final Path folder, final ErrorHandler errorHandler)
    {
        return new DriverErrors(
            IoUtil.mapExistingFile(
                folder.resolve(CncFileDescriptor.CNC_FILE).toFile(), FileChannel.MapMode.READ_ONLY, CncFileDescriptor.CNC_FILE),
            errorHandler);
    }

    /** Pass on errors that were observed since the last call. Without any it costs one memory read. */
    void report()
    {
        final long count = counters.getCounterValue(SystemCounterDescriptor.ERRORS.id());
        if (count != reportedCount)
        {
            reportedCount = count;
            ErrorLogReader.read(
                log,
                (observationCount, firstMs, lastMs, text) ->
                {
                    reportedToMs = Math.max(reportedToMs, lastMs + 1);
                    errorHandler.onError(new AeronException(text.strip()));
                },
                reportedToMs);
        }
    }

    @Override
    public void close()
    {
        IoUtil.unmap(cnc);
    }
}
