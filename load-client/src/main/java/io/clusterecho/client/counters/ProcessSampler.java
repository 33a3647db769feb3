package io.clusterecho.client.counters;

import java.util.Arrays;

import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSource;

/** Samples a process repeatedly, and follows it when it is restarted. One thread. */
final class ProcessSampler implements AutoCloseable
{
    private final String name;
    private final ProcessSource source;
    private long pidNow = -1;
    private long[] before = DriverSample.newValues();
    private long[] now = DriverSample.newValues();

    /** @param source of samples; closed with this. */
    ProcessSampler(final String name, final ProcessSource source)
    {
        this.name = name;
        this.source = source;
    }

    String name()
    {
        return name;
    }

    /** Process id in the last sample, -1 if the process did not run, or {@link ProcessSource#UNKNOWN_PID}. */
    long pid()
    {
        return pidNow;
    }

    /** Take a sample; sums are then relative to the previous one. */
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
    }

    /**
     * Value of a column after a sample.
     *
     * @return the value of a level; the growth of a sum, at least 0 since counters may have been closed; or {@link
     * DriverSample#MISSING}.
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
