package io.clusterecho.client.series;

import java.util.function.DoubleSupplier;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.EndRules;
import io.clusterecho.reporting.confidence.PrecisionRule;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.WindowEnds;

/**
 * Ends warm-up and measured window of a run by its rules. Called for each interval by the thread that takes them, after the
 * files have its counters; {@link #ends} is for after the run.
 */
final class WindowWatch implements IntervalListener
{
    private static final double NS_PER_MS = 1e6;

    private final EndRules rules;
    private final DoubleSupplier compilationMs;
    private final Runnable warmUpEnd;
    private final Runnable scheduleEnd;
    private final SteadyRule steady;
    private final PrecisionRule precision;
    private String unsteady = "there was no interval";
    private boolean isPrecise;

    /**
     * @param compilationMs time of compilations in the last interval, in ms.
     */
    WindowWatch(
        final EndRules rules, final DoubleSupplier compilationMs, final Runnable warmUpEnd, final Runnable scheduleEnd)
    {
        this.rules = rules;
        steady = new SteadyRule(rules.shortestWarmUpNs());
        this.compilationMs = compilationMs;
        this.warmUpEnd = warmUpEnd;
        this.scheduleEnd = scheduleEnd;
        precision = null == rules.goal() ? null : new PrecisionRule(rules.goal().percentile().percent(), rules.goal().share());
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        if (rules.isWarmUpAuto() && RunPhase.WARM_UP == interval.phase() && !unsteady.isEmpty())
        {
            watchWarmUp(interval);
        }
        // As for the bounds of the result, every interval counts, whatever fills most of it.
        if (null != precision && precision.isMetWith(interval.times().of(Time.RESPONSE)) && !isPrecise &&
            RunPhase.MEASURE == interval.phase() && !interval.isLast())
        {
            isPrecise = true;
            scheduleEnd.run();
        }
    }

    private void watchWarmUp(final RunInterval interval)
    {
        final double lengthNs = interval.endNs() - interval.beginNs();
        final boolean isSilent = 0 == interval.warmUpResponseTimes().getTotalCount();
        steady.add(isSilent ? null : new SteadyRule.Interval(
            Percentile.P50.of(interval.warmUpResponseTimes()), Percentile.P99.of(interval.warmUpResponseTimes()),
            compilationMs.getAsDouble() * NS_PER_MS / lengthNs), interval.endNs());
        unsteady = steady.unsteady();
        if (unsteady.isEmpty())
        {
            warmUpEnd.run();
        }
    }

    /**
     * How warm-up and measured window ended.
     *
     * @param made           the same with the warm-up as it was.
     */
    WindowEnds ends(final LoadPlan planned, final LoadPlan made, final long scheduledCount)
    {
        return new WindowEnds(
            rules.isWarmUpAuto() ? warmUp(planned, made, scheduledCount) : null,
            null == precision ? null : until(planned, scheduledCount));
    }

    private WindowEnds.WarmUp warmUp(final LoadPlan planned, final LoadPlan made, final long scheduledCount)
    {
        final WindowEnds.Cause cause = made.warmUpCount() < planned.warmUpCount() ? WindowEnds.Cause.steady :
            0 == scheduledCount ? WindowEnds.Cause.request : WindowEnds.Cause.bound;
        return new WindowEnds.WarmUp(
            lengthNs(planned, made.warmUpCount()), lengthNs(planned, planned.warmUpCount()), cause,
            unsteady.isEmpty() ? null : unsteady);
    }

    private WindowEnds.Until until(final LoadPlan planned, final long scheduledCount)
    {
        final PrecisionRule.Look look = precision.now();
        final double share = look.halfWidthShare();
        final WindowEnds.Cause cause = scheduledCount == planned.measuredCount() ? WindowEnds.Cause.bound :
            isPrecise ? WindowEnds.Cause.precise : WindowEnds.Cause.request;
        return new WindowEnds.Until(
            rules.goal().toString(), lengthNs(planned, scheduledCount), lengthNs(planned, planned.measuredCount()), cause,
            Double.isNaN(share) ? null : share, Double.isNaN(share) ? look.bounds().missing() : null, precision.lookCount());
    }

    private static long lengthNs(final LoadPlan plan, final long count)
    {
        return Math.round(count * 1e9 / plan.ratePerSecond());
    }
}
