package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberCounters;

/**
 * The members that one fault hits. For one thread. Methods that look or inject may throw a {@link ControlFailure}; those that
 * bring members back do not, so that one that cannot return does not keep the others from it.
 */
final class Victims
{
    /**
     * How often a member is started again that has ended itself.
     */
    static final int MAX_RESTARTS = 3;

    private final Fault fault;
    private final FaultScript script;
    private final List<ClusterMember> members;
    private final List<ClusterMember> injected = new ArrayList<>();
    private final Map<Integer, Integer> restarts = new HashMap<>();
    /** Into which the fault could not be injected, or null. */
    private ClusterMember refusing;

    /**
     * Victims to which nothing was done yet.
     */
    Victims(final Fault fault, final FaultScript script, final List<ClusterMember> members)
    {
        this.fault = fault;
        this.script = script;
        this.members = members;
    }

    List<Integer> memberIds()
    {
        return members.stream().map(ClusterMember::memberId).toList();
    }

    boolean isAnyInjected()
    {
        return !injected.isEmpty();
    }

    /**
     * Inject the fault into one after the other, up to the first that refuses.
     */
    void inject()
    {
        for (final ClusterMember victim : members)
        {
            // One that fails half-way is undone as well.
            injected.add(victim);
            refusing = victim;
            fault.inject(victim, script);
            refusing = null;
        }
    }

    boolean isInEffect()
    {
        return members.stream().allMatch(fault::isInEffect);
    }

    /**
     * Those that run although the fault ends their process.
     */
    List<ClusterMember> stillToEnd()
    {
        return !fault.isEndingProcess() ? List.of() :
            injected.stream().filter((victim) -> refusing != victim && !isGone(victim)).toList();
    }

    /**
     * Undo the fault on each.
     *
     * @return why that failed, a sentence for each on which it did.
     */
    List<String> bringBack()
    {
        final List<String> failures = new ArrayList<>();
        for (final ClusterMember victim : injected)
        {
            if (refusing == victim && fault.isEndingProcess() && !isGone(victim))
            {
                continue;
            }
            try
            {
                fault.undo(victim, script);
            }
            catch (final RuntimeException ex)
            {
                failures.add("member " + victim.memberId() + " did not return: " + message(ex));
            }
        }
        return failures;
    }

    /**
     * Restart those that have ended: a member that was stopped for over 10 s ends itself when it wakes.
     *
     * @return member that has ended too often to be restarted, or empty.
     */
    OptionalInt restartGone()
    {
        for (final ClusterMember victim : members)
        {
            if (isGone(victim))
            {
                if (restarts.merge(victim.memberId(), 1, Integer::sum) > MAX_RESTARTS)
                {
                    return OptionalInt.of(victim.memberId());
                }
                Fault.restart(victim);
            }
        }
        return OptionalInt.empty();
    }

    boolean haveCommitted(final long position)
    {
        return members.stream().allMatch(
            (victim) -> victim.counters().map(MemberCounters::commitPosition).orElse(-1L) >= position);
    }

    /**
     * Send SIGKILL to each.
     *
     * @return why that failed, a sentence for each of which it did.
     */
    static List<String> kill(final List<ClusterMember> members)
    {
        final List<String> failures = new ArrayList<>();
        for (final ClusterMember member : members)
        {
            try
            {
                member.kill();
            }
            catch (final RuntimeException ex)
            {
                failures.add("member " + member.memberId() + " could not be killed: " + message(ex));
            }
        }
        return failures;
    }

    /**
     * What went wrong, for a person.
     */
    static String message(final RuntimeException ex)
    {
        return ex instanceof ControlFailure ? ex.getMessage() : ex.toString();
    }

    private static boolean isGone(final ClusterMember member)
    {
        try
        {
            return !member.isAlive();
        }
        catch (final RuntimeException ex)
        {
            // Its host does not answer yet, and nothing is known of it.
            return false;
        }
    }
}
