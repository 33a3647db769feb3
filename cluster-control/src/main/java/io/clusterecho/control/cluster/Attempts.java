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

/**
 * Repeats an action on several members. Some may be on hosts that do not answer, which must not prevent the action on the
 * others. One thread.
 */
final class Attempts
{
    private final Set<String> problems = new TreeSet<>();

    /** Members for which a condition is true. */
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
            catch (final ControlFailure | InvalidSettingException ex)
            {
                problems.add(ex.getMessage());
            }
        }

        return found;
    }

    /** An action on the backup of the members. */
    void onBackup(final Runnable action)
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

    /** @throws ControlFailure that names every failed attempt, if any failed. */
    void check()
    {
        if (!problems.isEmpty())
        {
            throw new ControlFailure(ControlFailure.NOT_READY, String.join("\n", problems));
        }
    }
}
