package io.clusterecho.client.series;

import java.util.function.DoubleSupplier;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.WarmUpEnd;

/**
 * Ends the warm-up of a run when the state is steady. Called for each interval by the thread that takes them, after the files
 * have its counters; {@link #end} is for after the run.
 */
final class WarmUpWatch implements IntervalListener
{
    private static final double NS_PER_MS = 1e6;

    private final DoubleSupplier compilationMs;
    private final Runnable warmUpEnd;
    private final SteadyRule steady;
    private String unsteady = "there was no interval";

    /** @param compilationMs time of compilations in the last interval, in ms. */
    WarmUpWatch(final long shortestNs, final DoubleSupplier compilationMs, final Runnable warmUpEnd)
    {
        steady = new SteadyRule(shortestNs);
        this.compilationMs = compilationMs;
        this.warmUpEnd = warmUpEnd;
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        if (RunPhase.WARM_UP != interval.phase() || unsteady.isEmpty())
        {
            return;
        }
        final double lengthNs = interval.endNs() - interval.beginNs();
        final boolean isSilent = 0 == interval.warmUpResponseTimes().getTotalCount();
        unsteady = steady.unsteadyWith(isSilent ? null : new SteadyRule.Interval(
            Percentile.P50.of(interval.warmUpResponseTimes()), Percentile.P99.of(interval.warmUpResponseTimes()),
            compilationMs.getAsDouble() * NS_PER_MS / lengthNs), interval.endNs());
        if (unsteady.isEmpty())
        {
            warmUpEnd.run();
        }
    }

    /** How it ended; {@code made} is the plan with the warm-up as it was. */
    WarmUpEnd end(final LoadPlan planned, final LoadPlan made, final long scheduledCount)
    {
        final WarmUpEnd.Cause cause = made.warmUpCount() < planned.warmUpCount() ? WarmUpEnd.Cause.steady :
            0 == scheduledCount ? WarmUpEnd.Cause.request : WarmUpEnd.Cause.bound;
        return new WarmUpEnd(
            lengthNs(planned, made.warmUpCount()), lengthNs(planned, planned.warmUpCount()), cause,
            unsteady.isEmpty() ? null : unsteady);
    }

    static long lengthNs(final LoadPlan plan, final long count)
    {
        return Math.round(count * 1e9 / plan.ratePerSecond());
    }
}
