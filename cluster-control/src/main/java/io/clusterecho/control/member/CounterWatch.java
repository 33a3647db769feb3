package io.clusterecho.control.member;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.aeron.AeronCounters;
import io.aeron.cluster.service.Cluster;

/**
 * Records the elections of members on this machine: polls their counters every {@link #LOOK_INTERVAL_NS} on a thread. Times are
 * {@link System#nanoTime()}, late by at most one poll interval while the thread gets a core.
 */
final class CounterWatch implements ElectionWatch
{
    private final List<Watched> watched;
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
    private final CounterPoll poll;

    CounterWatch(final List<LocalMember> members)
    {
        watched = members.stream().map(Watched::new).toList();
        poll = new CounterPoll(
            "election-watch", watched.stream().map((member) -> member.counters).toList(), LOOK_INTERVAL_NS,
            () -> watched.forEach(Watched::look));
    }

    @Override
    public List<Change> since(final long timeNs)
    {
        return changes.stream().filter((change) -> change.timeNs() - timeNs >= 0).toList();
    }

    @Override
    public void close()
    {
        poll.close();
    }

    private final class Watched
    {
        private final int memberId;
        private final CounterPoll.Counters counters;
        private long stateBefore = UNKNOWN_STATE;
        private boolean wasLeader;

        private Watched(final LocalMember member)
        {
            memberId = member.memberId();
            counters = new CounterPoll.Counters(
                member, AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID, AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID);
        }

        private void look()
        {
            final long state = counters.value(AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID);
            final long role = counters.value(AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID);
            final boolean isKnown = CounterPoll.UNKNOWN != state && CounterPoll.UNKNOWN != role;
            final boolean isLeader = isKnown && Cluster.Role.LEADER.code() == role;
            if (isKnown && (state != stateBefore || isLeader != wasLeader))
            {
                changes.add(new Change(System.nanoTime(), memberId, stateBefore, state, isLeader));
            }
            stateBefore = isKnown ? state : UNKNOWN_STATE;
            wasLeader = isLeader;
        }
    }
}
