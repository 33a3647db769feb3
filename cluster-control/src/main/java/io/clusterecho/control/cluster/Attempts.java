package io.clusterecho.control.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.settings.InvalidSettingException;

/** Repeats an action on several members, also if the host of some does not answer. One thread. */
final class Attempts
{
    private final Set<String> problems = new TreeSet<>();

    List<ClusterMember> filter(final List<ClusterMember> members, final Predicate<ClusterMember> condition)
    {
        final List<ClusterMember> found = new ArrayList<>();
        members.forEach((member) -> on(() ->
        {
            if (condition.test(member))
            {
                found.add(member);
            }
        }));
        return found;
    }

    void on(final Runnable action)
    {
        try
        {
            action.run();
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            problems.add(ex.getMessage());
        }
    }

    /** An action on members; returns those on which it succeeded. */
    List<ClusterMember> on(final List<ClusterMember> members, final Consumer<ClusterMember> action)
    {
        return filter(members, (member) ->
        {
            action.accept(member);
            return true;
        });
    }

    /** @throws ControlFailure that names every failed attempt, if any failed. */
    void check()
    {
        ControlFailure.notReadyIf(!problems.isEmpty(), String.join("\n", problems));
    }
}
