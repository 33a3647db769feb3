package io.clusterecho.client.run;

import io.clusterecho.reporting.results.PrecisionGoal;

/**
 * Rules by which warm-up and measured window end before their longest lengths.
 *
 * @param isWarmUpAuto     whether the warm-up ends when the state is steady.
 * @param shortestWarmUpNs shortest length of such a warm-up, in ns; else 0.
 * @param goal             until which to measure, or null for the whole window.
 */
public record EndRules(boolean isWarmUpAuto, long shortestWarmUpNs, PrecisionGoal goal)
{
    /** Warm-up and measured window have their planned lengths. */
    public static final EndRules NONE = of(null);

    public static EndRules of(final PrecisionGoal goal)
    {
        return new EndRules(false, 0, goal);
    }

    public EndRules withGoal(final PrecisionGoal newGoal)
    {
        return new EndRules(isWarmUpAuto, shortestWarmUpNs, newGoal);
    }

    public boolean isAny()
    {
        return isWarmUpAuto || null != goal;
    }
}
