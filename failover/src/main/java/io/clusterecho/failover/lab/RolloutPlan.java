package io.clusterecho.failover.lab;

import io.clusterecho.control.member.NodeJar;

/**
 * Plan of a rollout: in each step one member is stopped in an orderly way and started from another jar, the leader last.
 *
 * @param memberCount number of members, and of the steps of a pass.
 * @param isAndBack   whether a second pass returns to the first jar.
 */
public record RolloutPlan(NodeJar from, NodeJar to, int memberCount, boolean isAndBack)
{
    public int stepCount()
    {
        return isAndBack ? 2 * memberCount : memberCount;
    }

    /** The steps as faults of a test. */
    public FaultSequence sequence()
    {
        final PlannedFault step = new PlannedFault(FaultSpec.parse("term"), PlannedFault.NEXT, 0);
        return (number) -> step;
    }

    /** The jar from which a step, counted from 1, starts its member. */
    NodeJar after(final int step)
    {
        return isFirstPass(step) ? to : from;
    }

    /** The jar that a step, counted from 1, replaces. */
    NodeJar before(final int step)
    {
        return isFirstPass(step) ? from : to;
    }

    private boolean isFirstPass(final int step)
    {
        return step <= memberCount;
    }
}
