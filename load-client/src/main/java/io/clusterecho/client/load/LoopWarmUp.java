package io.clusterecho.client.load;

import java.util.function.LongSupplier;

import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Quantity;
import io.clusterecho.threads.CompilerTimes;

/**
 * Ends the warm-up of a load that sends as fast as it can: after a time, or when its pace is steady by {@link SteadyRule} or at a
 * bound. Such a load has no schedule, so the time of a message is an interval's length by its messages, and is both median and
 * tail. Used by one thread.
 */
public final class LoopWarmUp
{
    private static final long INTERVAL_NS = 1_000_000_000L;

    private final WarmUpTime time;
    private final LongSupplier compilersNs;
    private final SteadyRule rule;
    private long beginNs;
    private long lastNs;
    private long lastCount;
    private long lastCompilersNs;
    private String unsteady = "there was no interval";
    private WarmUpEnd.Cause cause = WarmUpEnd.Cause.request;
    private boolean isBegun;

    /** @param compilersNs time of the compiler threads so far, in ns; constant if it is not known. */
    LoopWarmUp(final WarmUpTime time, final LongSupplier compilersNs)
    {
        this.time = time;
        this.compilersNs = compilersNs;
        rule = new SteadyRule(time.shortestNs());
    }

    /**
     * With the compilers of this process.
     *
     * @throws IllegalArgumentException with what is allowed, if it would be too short to show a steady state.
     */
    public static LoopWarmUp of(final WarmUpTime time)
    {
        IllegalArgument.throwIf(
            time.isAuto() && time.longestNs() <= SteadyRule.MIN_LENGTH_NS,
            "a bound above " + Quantity.formatNs(SteadyRule.MIN_LENGTH_NS) + ", the least that shows a steady state");

        final CompilerTimes times = CompilerTimes.ofThisProcess();
        // Not known on other systems, as the rule allows.
        return new LoopWarmUp(time, () -> Io.orElse(0L, times::totalNs));
    }

    /** Whether it is over, by any clock. The first call begins it. */
    public boolean isOver(final long nowNs, final long count)
    {
        if (!isBegun)
        {
            isBegun = true;
            beginNs = nowNs;
            begin(nowNs, count);
        }
        else if (time.isAuto() && WarmUpEnd.Cause.request == cause && nowNs - lastNs >= INTERVAL_NS)
        {
            final double compilation = (double)(compilersNs.getAsLong() - lastCompilersNs) / (nowNs - lastNs);
            final double timeNs = (double)(nowNs - lastNs) / (count - lastCount);
            unsteady = rule.unsteadyWith(
                count == lastCount ? null : new SteadyRule.Interval(timeNs, timeNs, compilation), nowNs - beginNs);
            begin(nowNs, count);
            cause = unsteady.isEmpty() ? WarmUpEnd.Cause.steady :
                nowNs - beginNs >= time.longestNs() ? WarmUpEnd.Cause.bound : WarmUpEnd.Cause.request;
        }

        return time.isAuto() ? WarmUpEnd.Cause.request != cause : nowNs - beginNs >= time.longestNs();
    }

    private void begin(final long nowNs, final long count)
    {
        lastNs = nowNs;
        lastCount = count;
        lastCompilersNs = compilersNs.getAsLong();
    }

    /** How it ended: at the last interval, so call this after it is over; null for a time. */
    public WarmUpEnd end()
    {
        return !time.isAuto() ? null : new WarmUpEnd(
            lastNs - beginNs, time.longestNs(), cause, unsteady.isEmpty() ? null : unsteady);
    }

    /** The same for a person: empty for a time. */
    public String text()
    {
        return !time.isAuto() ? "" : "; " + end().text();
    }
}
