package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.reporting.results.Cycle;

/**
 * The second fault of a cycle: when it is injected and undone, whatever has become of the first. Not thread-safe. Times are in ns
 * on the clock of the lab.
 */
final class SecondFault
{
    private enum State
    {
        NOT_BEGUN,
        WAITING,
        IN_EFFECT,
        RETURNING,
        UNDONE
    }

    private final PlannedFault.Second second;
    private final FailoverPlan plan;
    private final LabCluster cluster;
    private State state;
    /** Null before the injection. */
    private Victims victims;
    private long earliestNs;
    private long injectedNs;

    /**
     * A fault that is due after the first one of its cycle.
     *
     * @param second  the fault, and its time after the first; or null, for one that is undone from the start.
     */
    SecondFault(final PlannedFault.Second second, final FailoverPlan plan, final LabCluster cluster)
    {
        this.second = second;
        this.plan = plan;
        this.cluster = cluster;
        state = null == second ? State.UNDONE : State.NOT_BEGUN;
    }

    /** The first fault was injected. */
    void begin(final long faultNs)
    {
        if (State.NOT_BEGUN == state)
        {
            state = State.WAITING;
            earliestNs = faultNs + second.afterNs();
        }
    }

    /**
     * Inject or undo the fault if it is time to. It waits for a member that the first fault does not affect.
     *
     * @param nowNs    time of the call.
     * @param affected member ids that the first fault affects now.
     * @param problems receives a sentence for each failure.
     * @return whether the fault was undone in this call.
     * @throws io.clusterecho.control.member.ControlFailure if the members cannot be asked.
     */
    boolean step(final long nowNs, final List<Integer> affected, final List<String> problems)
    {
        switch (state)
        {
            case WAITING ->
            {
                if (nowNs - earliestNs >= 0)
                {
                    inject(nowNs, affected, problems);
                }
            }

            case IN_EFFECT ->
            {
                if (nowNs - injectedNs >= plan.victimReturn().afterNs())
                {
                    toReturn(nowNs);
                }
            }

            case RETURNING ->
            {
                if (victims.canReturn(nowNs, problems))
                {
                    problems.addAll(victims.bringBack());
                    state = State.UNDONE;
                    return true;
                }
            }

            default ->
            {
            }
        }

        return false;
    }

    private void inject(final long nowNs, final List<Integer> affected, final List<String> problems)
    {
        final PlannedFault planned = second.planned();
        final List<ClusterMember> members = planned.victimsBeside(cluster, affected);
        if (!members.isEmpty())
        {
            victims = new Victims(planned.spec(), plan.script(), members, cluster);
            injectedNs = nowNs;
            state = State.IN_EFFECT;
            try
            {
                victims.inject();
            }
            catch (final RuntimeException ex)
            {
                problems.add("the second fault was not injected: " + Victims.message(ex));
                toReturn(nowNs);
            }
        }
    }

    private void toReturn(final long nowNs)
    {
        victims.toReturn(nowNs);
        state = State.RETURNING;
    }

    /** Undo the fault as soon as possible, or do not inject it. */
    void end(final long nowNs)
    {
        if (State.IN_EFFECT == state)
        {
            toReturn(nowNs);
        }
        else if (!isInEffect())
        {
            state = State.UNDONE;
        }
    }

    /** Whether a victim that does not run is to be left so. */
    boolean isInEffect()
    {
        return State.IN_EFFECT == state || State.RETURNING == state;
    }

    boolean isUndone()
    {
        return State.UNDONE == state;
    }

    /**
     * What it did.
     *
     * @param faultNs time of the first fault.
     * @return null without a second fault.
     */
    Cycle.Second result(final long faultNs)
    {
        return null == second ? null : new Cycle.Second(
            second.planned().hit(null == victims ? List.of() : victims.memberIds()), second.afterNs(),
            null == victims ? null : Long.valueOf(injectedNs - faultNs));
    }

    /**
     * Victims of both faults.
     *
     * @param ofFirst those of the first.
     */
    List<Integer> and(final List<Integer> ofFirst)
    {
        final List<Integer> both = new ArrayList<>(ofFirst);
        if (null != victims)
        {
            both.addAll(victims.memberIds());
        }
        return both;
    }

    /**
     * Victims of both faults that were healed.
     *
     * @param ofFirst those of the first.
     */
    List<Integer> healedToo(final List<Integer> ofFirst)
    {
        final List<Integer> healed = new ArrayList<>(ofFirst);
        if (null != victims)
        {
            healed.addAll(victims.healed());
        }
        return healed;
    }

    /** As {@link Victims#restartGone()}, once the fault is undone. */
    OptionalInt restartGone()
    {
        return isUndone() && null != victims ? victims.restartGone() : OptionalInt.empty();
    }

    boolean haveCommitted(final long position)
    {
        return null == victims || victims.haveCommitted(position);
    }

    /**
     * Undo the fault now if it is in effect.
     *
     * @return failures, a sentence for each victim concerned.
     */
    List<String> release()
    {
        final boolean isOpen = isInEffect();
        state = State.UNDONE;
        return isOpen ? victims.bringBack() : List.of();
    }
}
