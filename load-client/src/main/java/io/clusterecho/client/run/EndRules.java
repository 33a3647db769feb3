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
    public boolean isAny()
    {
        return isWarmUpAuto || null != goal;
    }
}
