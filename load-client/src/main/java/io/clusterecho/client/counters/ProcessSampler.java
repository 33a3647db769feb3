package io.clusterecho.client.counters;

import java.util.Arrays;

import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.platform.JvmPauses;

/**
 * Samples one process again and again, and follows it when it is started anew. One thread.
 */
final class ProcessSampler implements AutoCloseable
{
    private final String name;
    private final ProcessSource source;
    private final JvmPauses ownPauses;
    private long pidNow = -1;
    private long[] before = DriverSample.newValues();
    private long[] now = DriverSample.newValues();

    /**
     * @param name      in the file.
     * @param source    of samples; closed with this.
     * @param ownPauses if the process is this one, else null.
     */
    ProcessSampler(final String name, final ProcessSource source, final JvmPauses ownPauses)
    {
        this.name = name;
        this.source = source;
        this.ownPauses = ownPauses;
    }

    String name()
    {
        return name;
    }

    /**
     * Process of the last sample, or -1 if it did not run.
     */
    long pid()
    {
        return pidNow;
    }

    /**
     * Take a sample; what was taken before is then what sums are counted from.
     */
    void sample()
    {
        final long[] last = before;
        before = now;
        now = last;

        final long pidBefore = pidNow;
        pidNow = source.take(now);
        if (pidBefore != pidNow)
        {
            Arrays.fill(before, DriverSample.MISSING);
        }
        if (null != ownPauses)
        {
            put(CounterColumn.COLLECTIONS, ownPauses.collectionCount());
            put(CounterColumn.COLLECTION_MS, ownPauses.collectionTimeMs());
            put(CounterColumn.SAFEPOINTS, ownPauses.safepointCount());
            put(CounterColumn.SAFEPOINT_MS, ownPauses.safepointTimeMs());
        }
    }

    private void put(final CounterColumn column, final long value)
    {
        now[column.ordinal()] = value < 0 ? DriverSample.MISSING : value;
    }

    /**
     * What to write of a column after a sample.
     *
     * @param column of the file.
     * @return raw value of a level; growth of a sum, which is at least 0 since counters may be closed meanwhile; or
     * {@link DriverSample#MISSING}.
     */
    long value(final CounterColumn column)
    {
        final long value = now[column.ordinal()];
        if (CounterColumn.Kind.LEVEL == column.kind() || DriverSample.MISSING == value)
        {
            return value;
        }

        final long valueBefore = before[column.ordinal()];
        return DriverSample.MISSING == valueBefore ? DriverSample.MISSING : Math.max(0, value - valueBefore);
    }

    @Override
    public void close()
    {
        source.close();
    }
}
