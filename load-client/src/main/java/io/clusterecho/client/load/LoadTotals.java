package io.clusterecho.client.load;

import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/** Totals over the intervals of a run. For the thread that watches the run. */
final class LoadTotals
{
    private final Histogram responseTimes = TimeRecorder.newHistogram();
    private final Histogram serviceTimes = TimeRecorder.newHistogram();
    private final Histogram sendDelays = TimeRecorder.newHistogram();
    private final Histogram receiveLateness = TimeRecorder.newHistogram();
    private final Histogram clientParts = TimeRecorder.newHistogram();
    private final Histogram stalls = StallMeter.newHistogram();
    private final long[] counts = new long[Counter.values().length];
    private long endNs;

    void add(final LoadInterval interval)
    {
        add(interval.responseTimes(), responseTimes);
        add(interval.serviceTimes(), serviceTimes);
        add(interval.sendDelays(), sendDelays);
        add(interval.receiveLateness(), receiveLateness);
        add(interval.clientParts(), clientParts);
        if (interval.isMeasured())
        {
            stalls.add(interval.stalls());
        }
        // These are counted from the start.
        System.arraycopy(interval.counts, 0, counts, 0, counts.length);
        endNs = interval.endNs();
    }

    private static void add(final Histogram times, final Histogram total)
    {
        if (times.getTotalCount() > 0)
        {
            total.add(times);
        }
    }

    /** Response times of answered measured messages. */
    Histogram responseTimes()
    {
        return responseTimes;
    }

    /** Send delays of measured messages. */
    Histogram sendDelays()
    {
        return sendDelays;
    }

    /** Count up to the end of the last interval. */
    long count(final Counter counter)
    {
        return counts[counter.ordinal()];
    }

    /** End of the last interval, since the start of the schedule. */
    long endNs()
    {
        return endNs;
    }

    /** The measurement; call once, at the end. */
    LoadMeasurement measurement(final LoadOutcome outcome)
    {
        responseTimes.add(outcome.unansweredAges());
        return new LoadMeasurement(
            outcome, responseTimes, serviceTimes, sendDelays, receiveLateness, clientParts, stalls);
    }
}
