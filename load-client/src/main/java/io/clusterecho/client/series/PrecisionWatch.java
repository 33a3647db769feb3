package io.clusterecho.client.series;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.reporting.confidence.PrecisionRule;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.reporting.results.WindowEnd;

/**
 * Ends the measured window of a run when a percentile is known precisely enough. Called for each interval by the thread that
 * takes them; {@link #end} is for after the run.
 */
final class PrecisionWatch implements IntervalListener
{
    private final PrecisionGoal goal;
    private final Runnable scheduleEnd;
    private final PrecisionRule precision;
    private boolean isPrecise;

    PrecisionWatch(final PrecisionGoal goal, final Runnable scheduleEnd)
    {
        this.goal = goal;
        this.scheduleEnd = scheduleEnd;
        precision = new PrecisionRule(goal.percentile().percent(), goal.share());
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        // As for the bounds of the result, every interval counts, whatever fills most of it.
        if (precision.isMetWith(interval.times().of(Time.RESPONSE)) && !isPrecise && RunPhase.MEASURE == interval.phase() &&
            !interval.isLast())
        {
            isPrecise = true;
            scheduleEnd.run();
        }
    }

    WindowEnd end(final LoadPlan planned, final long scheduledCount)
    {
        final double share = precision.halfWidthShare();
        final WindowEnd.Cause cause = scheduledCount == planned.measuredCount() ? WindowEnd.Cause.bound :
            isPrecise ? WindowEnd.Cause.precise : WindowEnd.Cause.request;
        return new WindowEnd(
            goal.toString(), WarmUpWatch.lengthNs(planned, scheduledCount),
            WarmUpWatch.lengthNs(planned, planned.measuredCount()), cause, Double.isNaN(share) ? null : share,
            Double.isNaN(share) ? precision.bounds().missing() : null, precision.lookCount());
    }
}
