package io.clusterecho.client.churn;

import java.util.concurrent.atomic.AtomicLongArray;

import io.clusterecho.reporting.measurement.ChurnCounter;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** Accounts and times of sessions that come and go. The agent's thread writes; one other thread may read at any time. */
final class ChurnRecord
{
    private static final int SIGNIFICANT_DIGITS = 3;

    private final AtomicLongArray values = new AtomicLongArray(ChurnCounter.values().length);
    private final SingleWriterRecorder connectTimes =
        new SingleWriterRecorder(TimeRecorder.MAX_TIME_NS, SIGNIFICANT_DIGITS);

    void increment(final ChurnCounter counter)
    {
        set(counter, value(counter) + 1);
    }

    void set(final ChurnCounter counter, final long value)
    {
        values.lazySet(counter.ordinal(), value);
    }

    long value(final ChurnCounter counter)
    {
        return values.get(counter.ordinal());
    }

    /**
     * A session is open.
     *
     * @param timeNs since it was due.
     */
    void onConnected(final long timeNs)
    {
        connectTimes.recordValue(Math.max(0, Math.min(timeNs, TimeRecorder.MAX_TIME_NS)));
    }

    /** Move the times to connect since the last call into a histogram. */
    void connectTimes(final Histogram histogram)
    {
        connectTimes.getIntervalHistogramInto(histogram);
    }
}
