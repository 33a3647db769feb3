package io.clusterecho.control.member;

import java.util.List;

import io.aeron.cluster.ElectionState;

/**
 * Notes when members' own counters say that an election begins, goes on and ends. Times are {@link System#nanoTime()} of this
 * machine. Any thread may use it.
 */
public interface ElectionWatch extends AutoCloseable
{
    /**
     * State before the first look at a process.
     */
    long UNKNOWN_STATE = -1;

    /**
     * Time between two looks at a member's counters in ns: a change is seen that much late at the most, where the looking
     * thread gets its core.
     */
    long LOOK_INTERVAL_NS = 2_000_000L;

    /**
     * A change that a member's counters showed.
     *
     * @param timeNs      when it was seen.
     * @param memberId    of the member.
     * @param stateBefore of its election: a code of {@link ElectionState}, or {@link #UNKNOWN_STATE} for a process that was
     *                    looked at for the first time.
     * @param state       of its election from then on, as a code of {@link ElectionState}.
     * @param isLeader    whether it leads.
     */
    record Change(long timeNs, int memberId, long stateBefore, long state, boolean isLeader)
    {
        /**
         * Whether the member takes part in a settled term from then on.
         *
         * @return true if so.
         */
        public boolean isSettled()
        {
            return ElectionState.CLOSED.code() == state;
        }

        /**
         * Whether the member left a settled term: it found that its leader, or its quorum, is not there.
         *
         * @return true if so.
         */
        public boolean isDetection()
        {
            return ElectionState.CLOSED.code() == stateBefore && !isSettled();
        }

        /**
         * Whether the member stands for election, or votes: that comes after it has asked the others where they are.
         *
         * @return true if so.
         */
        public boolean isBallot()
        {
            return state >= ElectionState.NOMINATE.code() && state <= ElectionState.FOLLOWER_BALLOT.code();
        }
    }

    /**
     * Changes from a time on.
     *
     * @param timeNs from which on.
     * @return in order; those of a host that does not answer are missing.
     */
    List<Change> since(long timeNs);

    @Override
    void close();
}
