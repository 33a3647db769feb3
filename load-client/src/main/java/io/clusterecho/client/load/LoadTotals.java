package io.clusterecho.client.load;

import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;

/** Totals over the intervals of a run. For the thread that watches the run. */
final class LoadTotals
{
    private final Histograms times = new Histograms();
    private Counts counts = new Counts();
    private long endNs;

    void add(final RunInterval interval)
    {
        interval.addTo(times);
        counts = interval.totals();
        endNs = interval.endNs();
    }

    /** Times of answered measured messages. */
    Histograms times()
    {
        return times;
    }

    /** Counts up to the end of the last interval. */
    Counts counts()
    {
        return counts;
    }

    /** End of the last interval, since the start of the schedule. */
    long endNs()
    {
        return endNs;
    }

    /** The measurement; call once, at the end. */
    LoadMeasurement measurement(final LoadOutcome outcome)
    {
        return new LoadMeasurement(outcome, times.add(Time.RESPONSE, outcome.unansweredAges()));
    }
}
