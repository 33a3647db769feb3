package io.clusterecho.failover.lab;

import java.util.List;

import io.clusterecho.reporting.results.Cycle;

/**
 * What a rollout has done.
 *
 * @param steps that were begun, in order.
 */
public record RolloutResult(RolloutPlan plan, List<RolloutStep> steps)
{
    /** Sum of the outages of all steps, in ns. */
    long outageNs(final List<Cycle> cycles)
    {
        return cycles.stream().filter((cycle) -> steps.stream().anyMatch((step) -> step.cycle() == cycle.number()))
            .mapToLong(Cycle::outageNs).sum();
    }
}
