package io.clusterecho.control.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;

/** Members that an unfinished start has started so far, to be killed if it fails. One thread starts; any other may abandon. */
final class StartedMembers
{
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final List<ClusterMember> members = new CopyOnWriteArrayList<>();
    private boolean isAbandoned;

    synchronized void launch(final ClusterMember member)
    {
        ControlFailure.notReadyIf(isAbandoned, "the start was abandoned");
        member.cleanUp();
        members.add(member);
        member.start();
    }

    /** Keep the members: the start has succeeded. */
    void keep()
    {
        members.clear();
    }

    synchronized void abandon()
    {
        isAbandoned = true;
        end();
    }

    /** Kill the started members, unless they are kept. */
    synchronized void end()
    {
        final Attempts attempts = new Attempts();
        attempts.on(members, ClusterMember::kill);
        attempts.on(attempts.filter(members, (member) -> member.awaitExit(END_TIMEOUT_NS)), ClusterMember::cleanUp);
        members.clear();
    }

    /** Whether {@link #end()} kills a member. */
    boolean isStopped(final ClusterMember member)
    {
        return members.contains(member);
    }

    List<ClusterMember> ended()
    {
        return members.stream().filter((member) -> !member.isAlive()).toList();
    }
}
