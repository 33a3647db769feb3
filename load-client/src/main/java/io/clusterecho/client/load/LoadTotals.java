package io.clusterecho.client.load;

import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * What the intervals of a run come to. For the thread that watches the run.
 */
final class LoadTotals
{
    private final Histogram responseTimes = TimeRecorder.newHistogram();
    private final Histogram serviceTimes = TimeRecorder.newHistogram();
    private final Histogram sendDelays = TimeRecorder.newHistogram();
    private final Histogram stalls = StallMeter.newHistogram();
    private final long[] counts = new long[Counter.values().length];
    private long endNs;

    void add(final LoadInterval interval)
    {
        responseTimes.add(interval.responseTimes());
        serviceTimes.add(interval.serviceTimes());
        sendDelays.add(interval.sendDelays());
        if (RunPhase.WARM_UP != interval.phase() || interval.sent() > 0)
        {
            stalls.add(interval.stalls());
        }
        // Those are counted from the start.
        System.arraycopy(interval.counts, 0, counts, 0, counts.length);
        endNs = interval.endNs();
    }

    /**
     * Of measured messages, without those that were not answered.
     */
    Histogram responseTimes()
    {
        return responseTimes;
    }

    /**
     * Of measured messages.
     */
    Histogram sendDelays()
    {
        return sendDelays;
    }

    /**
     * As of the end of the last interval.
     */
    long count(final Counter counter)
    {
        return counts[counter.ordinal()];
    }

    /**
     * End of the last interval, since the start of the schedule.
     */
    long endNs()
    {
        return endNs;
    }

    /**
     * The measurement; once, at the end.
     */
    LoadMeasurement measurement(final LoadOutcome outcome)
    {
        responseTimes.add(outcome.unansweredAges());
        return new LoadMeasurement(outcome, responseTimes, serviceTimes, sendDelays, stalls);
    }
}
