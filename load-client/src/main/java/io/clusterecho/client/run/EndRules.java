package io.clusterecho.client.run;

import io.clusterecho.reporting.results.PrecisionGoal;

/**
 * Rules by which warm-up and measured window end before their longest lengths.
 *
 * @param isWarmUpAuto whether the warm-up ends when the state is steady.
 * @param goal         until which to measure, or null for the whole window.
 */
public record EndRules(boolean isWarmUpAuto, PrecisionGoal goal)
{
    /** Both have the planned lengths. */
    public static final EndRules NONE = new EndRules(false, null);

    /**
     * Whether there is any.
     */
    public boolean isAny()
    {
        return isWarmUpAuto || null != goal;
    }
}
