package io.clusterecho.control.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;

/**
 * Does the same with several members, of which some may be on hosts that do not answer: that must not keep the others from
 * being asked. One thread.
 */
final class Attempts
{
    private final Set<String> problems = new TreeSet<>();

    /**
     * Members for which something is so.
     */
    List<ClusterMember> filter(final List<ClusterMember> members, final Predicate<ClusterMember> condition)
    {
        final List<ClusterMember> found = new ArrayList<>();
        for (final ClusterMember member : members)
        {
            try
            {
                if (condition.test(member))
                {
                    found.add(member);
                }
            }
            catch (final ControlFailure ex)
            {
                problems.add(ex.getMessage());
            }
        }

        return found;
    }

    void on(final List<ClusterMember> members, final Consumer<ClusterMember> action)
    {
        filter(
            members,
            (member) ->
            {
                action.accept(member);
                return true;
            });
    }

    /**
     * @throws ControlFailure that names every attempt that failed, if one did.
     */
    void check()
    {
        if (!problems.isEmpty())
        {
            throw new ControlFailure(ControlFailure.NOT_READY, String.join("\n", problems));
        }
    }
}
