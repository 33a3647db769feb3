package io.clusterecho.media.counters;

import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

import io.aeron.AeronCounters;
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
    private final MappedByteBuffer cnc;
    private final CountersReader reader;

    private DriverCounters(final long pid, final MappedByteBuffer cnc, final DirectBuffer metaData)
    {
        this.pid = pid;
        this.cnc = cnc;
        reader = DriverFile.counters(cnc, metaData);
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

    /** As {@link #map(Path, long)}, also for writing to counters that control a driver. */
    public static Optional<DriverCounters> map(final Path aeronDir, final long pid, final FileChannel.MapMode mode)
    {
        final MappedByteBuffer cnc = DriverFile.map(aeronDir, mode).orElse(null);
        if (null == cnc)
        {
            return Optional.empty();
        }

        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        if (CncFileDescriptor.pid(metaData) != pid && !DriverFile.isUsedBy(aeronDir, pid))
        {
            IoUtil.unmap(cnc);
            return Optional.empty();
        }
        return Optional.of(new DriverCounters(pid, cnc, metaData));
    }

    /**
     * What the archive at a driver has recorded, from the positions of its active recordings: their sum in bytes; -1 if there is
     * no such driver, or it is not ready. Any cluster has them.
     */
    public static long recordedBytes(final Path aeronDir, final long pid)
    {
        try (DriverCounters counters = map(aeronDir, pid).orElse(null))
        {
            return null == counters ? -1 : recordedBytes(counters.reader());
        }
    }

    static long recordedBytes(final CountersReader counters)
    {
        final long[] sum = new long[1];
        counters.forEach((id, typeId, key, label) ->
            sum[0] += AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID == typeId ? counters.getCounterValue(id) : 0);
        return sum[0];
    }

    /** Id of the first counter of a type, {@link CountersReader#NULL_COUNTER_ID} if there is none. Reads no labels. */
    public static int find(final CountersReader counters, final int typeId)
    {
        // No counter behind an unused one was ever used, and there is room for thousands.
        for (int id = 0; id <= counters.maxCounterId() && CountersReader.RECORD_UNUSED != counters.getCounterState(id); id++)
        {
            if (CountersReader.RECORD_ALLOCATED == counters.getCounterState(id) && counters.getCounterTypeId(id) == typeId)
            {
                return id;
            }
        }

        return CountersReader.NULL_COUNTER_ID;
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
