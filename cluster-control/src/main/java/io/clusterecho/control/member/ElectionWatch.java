package io.clusterecho.control.member;

import java.util.Comparator;
import java.util.List;

import io.aeron.cluster.ElectionState;

/** Records elections from members' counters. Times are {@link System#nanoTime()} of this machine. Thread-safe. */
public interface ElectionWatch extends AutoCloseable
{
    /** State before the first poll of a process. */
    long UNKNOWN_STATE = -1;

    /** Poll interval in ns: a change is seen at most that late, if the polling thread gets a core. */
    long LOOK_INTERVAL_NS = 2_000_000L;

    /** A change of a member's election by codes of {@link ElectionState}; before the first poll {@link #UNKNOWN_STATE}. */
    record Change(long timeNs, int memberId, long stateBefore, long state, boolean isLeader)
    {
        /** Whether the member has entered a leadership term without an election in progress. */
        public boolean isSettled()
        {
            return ElectionState.CLOSED.code() == state;
        }

        /** Whether the member has left its leadership term: it detected the loss of its leader or its quorum. */
        public boolean isDetection()
        {
            return ElectionState.CLOSED.code() == stateBefore && !isSettled();
        }

        /** Whether the member is a candidate or votes, which follows the canvass. */
        public boolean isBallot()
        {
            return state >= ElectionState.NOMINATE.code() && state <= ElectionState.FOLLOWER_BALLOT.code();
        }
    }

    /** Changes from a time on, in order; without those of a host that does not answer. */
    @Asked
    List<Change> since(long timeNs);

    @Asked(isOfAny = true)
    @Override
    void close();

    /** The elections of members on several hosts, which have a watch each. */
    record OfHosts(List<ElectionWatch> watches) implements ElectionWatch
    {
        @Override
        public List<Change> since(final long timeNs)
        {
            return watches.stream().flatMap((watch) -> watch.since(timeNs).stream())
                .sorted(Comparator.comparingLong((change) -> change.timeNs() - timeNs)).toList();
        }

        @Override
        public void close()
        {
            watches.forEach(ElectionWatch::close);
        }
    }
}
