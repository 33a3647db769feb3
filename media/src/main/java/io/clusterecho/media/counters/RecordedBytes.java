package io.clusterecho.media.counters;

import java.nio.file.Path;

import io.aeron.AeronCounters;

import org.agrona.concurrent.status.CountersReader;

/** What the archive at a media driver has recorded, from the positions of its active recordings. Any cluster has them. */
public final class RecordedBytes
{
    private RecordedBytes()
    {
    }

    /** @return the sum of the positions, in bytes; -1 if there is no such driver, or it is not ready. */
    public static long at(final Path aeronDir, final long pid)
    {
        try (DriverCounters counters = DriverCounters.map(aeronDir, pid).orElse(null))
        {
            return null == counters ? -1 : of(counters.reader());
        }
    }

    static long of(final CountersReader counters)
    {
        final long[] sum = new long[1];
        counters.forEach((id, typeId, key, label) ->
        {
            if (AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID == typeId)
            {
                sum[0] += counters.getCounterValue(id);
            }
        });
        return sum[0];
    }
}
