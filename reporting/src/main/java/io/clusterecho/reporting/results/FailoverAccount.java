package io.clusterecho.reporting.results;

import java.util.List;

/**
 * What a verdict needs from a failover test besides its load.
 *
 * @param isExactlyOnce    whether the client sends unacknowledged messages again, so that none may be missing at the end.
 * @param cycles           in the order in which they ran.
 * @param outages          of all valid cycles in ns, unordered.
 * @param isAudited        whether the members' logs were audited.
 * @param acknowledgedLost acknowledged messages that are missing from the members' logs or that the service requested again.
 * @param appliedTwice     messages that were applied more than once.
 * @param firstFinding     the first of them, a sentence; empty if there is none.
 */
public record FailoverAccount(
    boolean isExactlyOnce,
    List<CycleAccount> cycles,
    List<Long> outages,
    boolean isAudited,
    long acknowledgedLost,
    long appliedTwice,
    long findingCount,
    String firstFinding)
{
    /**
     * What a verdict needs from one cycle.
     *
     * @param number             from 1.
     * @param problem            why the cycle is invalid or did not recover, or empty.
     * @param isInterrupted      whether the end of the test cut it short.
     * @param echoesWithoutQuorum replies received while there was no quorum.
     * @param outageNs           longest time without a scheduled reply, in ns.
     * @param resolutionNs       error of the outage in either direction, in ns.
     * @param isSameLeader       whether the old leader leads again, though the others had a quorum.
     * @param isLeaderKilled     whether the fault killed the leader.
     * @param returnedNs         when the victims returned, in ns after the fault; -1 if they did not.
     * @param expectation        what was expected before the fault, in words.
     * @param expectedNs         longest outage expected, in ns; -1 if none can be stated.
     * @param isElectionUnexpected whether a leader was elected, though the fault left the leader a quorum.
     * @param longestPart        longest part of the time from the fault to the first reply, and its length; empty if unknown.
     */
    public record CycleAccount(
        int number,
        String problem,
        boolean isInterrupted,
        long echoesWithoutQuorum,
        long outageNs,
        long resolutionNs,
        boolean isSameLeader,
        boolean isLeaderKilled,
        long returnedNs,
        String expectation,
        long expectedNs,
        boolean isElectionUnexpected,
        String longestPart)
    {
    }
}
