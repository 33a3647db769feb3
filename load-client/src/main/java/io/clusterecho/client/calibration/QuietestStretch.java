package io.clusterecho.client.calibration;

import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Percentile;

/**
 * The lowest medians of any interval of a run: what a machine does without disturbance. A floor raised by someone else's load
 * would make every result look better than it is. One thread.
 */
final class QuietestStretch implements IntervalListener
{
    private static final int LEAST_COUNT = 50;

    private long responseTimeNs = Long.MAX_VALUE;
    private long serviceTimeNs = Long.MAX_VALUE;

    QuietestStretch()
    {
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        if (interval.times().of(Time.RESPONSE).getTotalCount() >= LEAST_COUNT)
        {
            responseTimeNs = Math.min(responseTimeNs, Percentile.P50.of(interval.times().of(Time.RESPONSE)));
            serviceTimeNs = Math.min(serviceTimeNs, Percentile.P50.of(interval.times().of(Time.SERVICE)));
        }
    }

    /** Lowest median of the response times, or another value if every interval had too few messages for a median. */
    long responseTimeNs(final long otherwise)
    {
        return Long.MAX_VALUE == responseTimeNs ? otherwise : responseTimeNs;
    }

    /** Lowest median of the service times, or another value if every interval had too few messages for a median. */
    long serviceTimeNs(final long otherwise)
    {
        return Long.MAX_VALUE == serviceTimeNs ? otherwise : serviceTimeNs;
    }
}
