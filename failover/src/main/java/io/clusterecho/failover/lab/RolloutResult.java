package io.clusterecho.failover.lab;

import java.util.List;

/**
 * What a rollout has done.
 *
 * @param plan  of it.
 * @param steps that were begun, in order.
 */
public record RolloutResult(RolloutPlan plan, List<RolloutStep> steps)
{
    /**
     * Sum of the outages of all steps, in ns.
     *
     * @param cycles of the test.
     */
    static long outageNs(final List<Cycle> cycles)
    {
        return cycles.stream().filter((cycle) -> cycle.isStep() && cycle.isInjected()).mapToLong(Cycle::outageNs).sum();
    }
}
