package io.clusterecho.peers.workload;

import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.results.WindowEnds;
import io.clusterecho.settings.Quantity;

/** The warm-up of a load at full speed: for a time, or until its pace is steady. Not thread-safe. */
final class WarmUp
{
    /** Null for a time. */
    private final LoopWarmUp steady;
    private final long timeNs;
    private long endNs;
    private boolean isBegun;

    private WarmUp(final LoopWarmUp steady, final long timeNs)
    {
        this.steady = steady;
        this.timeNs = timeNs;
    }

    /** @throws IllegalArgumentException with what is allowed, if it would be too short to show a steady state. */
    static WarmUp of(final WarmUpTime time)
    {
        if (time.isAuto() && time.longestNs() <= SteadyRule.MIN_LENGTH_NS)
        {
            throw new IllegalArgumentException(
                "a bound above " + Quantity.formatNs(SteadyRule.MIN_LENGTH_NS) + ", the least that shows a steady state");
        }

        return new WarmUp(time.isAuto() ? LoopWarmUp.between(time.shortestNs(), time.longestNs()) : null, time.longestNs());
    }

    /** Whether it is over. The first call begins it. */
    boolean isOver(final long nowNs, final long count)
    {
        if (null != steady)
        {
            return steady.isOver(nowNs, count);
        }
        if (!isBegun)
        {
            isBegun = true;
            endNs = nowNs + timeNs;
        }

        return nowNs - endNs >= 0;
    }

    /** How it ended, or null for a time. */
    WindowEnds.WarmUp end()
    {
        return null == steady ? null : steady.end();
    }

    /** The same for a person: empty for a time. */
    String text()
    {
        return null == steady ? "" : "; " + String.join("; ", new WindowEnds(steady.end(), null).lines());
    }
}
