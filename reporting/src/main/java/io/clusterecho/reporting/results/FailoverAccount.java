package io.clusterecho.reporting.results;

import java.util.List;

/**
 * What a verdict has to know of a failover test beside its load.
 *
 * @param isExactlyOnce    whether the client sent again what was not acknowledged, so that nothing may be missing at the end.
 * @param cycles           that were run, in order.
 * @param outages          of all valid cycles in ns, in no order.
 * @param outageBoundNs    longest outage that the cluster's timeouts allow for after the death of its leader, in ns.
 * @param isAudited        whether the members' logs were audited.
 * @param acknowledgedLost acknowledged messages that the members' logs do not hold, or that the service asked for again.
 * @param appliedTwice     messages that were applied more than once.
 * @param findingCount     of the audit.
 * @param firstFinding     of the audit, a sentence; empty if there is none.
 */
public record FailoverAccount(
    boolean isExactlyOnce,
    List<CycleAccount> cycles,
    List<Long> outages,
    long outageBoundNs,
    boolean isAudited,
    long acknowledgedLost,
    long appliedTwice,
    long findingCount,
    String firstFinding)
{
    /**
     * What a verdict has to know of one fault.
     *
     * @param number             from 1.
     * @param problem            why the cycle is not valid or did not recover, or empty.
     * @param isInterrupted      whether it was cut short because the test was to end.
     * @param isQuorumLost       whether too few members were left to acknowledge anything until the victims returned.
     * @param echoesWithoutQuorum echoes that came while there was no quorum.
     * @param outageNs           longest time without an echo that the schedule asked for, in ns.
     * @param resolutionNs       by which that may be off in either direction, in ns.
     * @param isSameLeader       whether a victim that led before the fault led again after it, though the others had a quorum.
     * @param isLeaderKilled     whether the fault killed the member that led.
     * @param returnedNs         when the victims returned, in ns after the fault; -1 if they did not.
     */
    public record CycleAccount(
        int number,
        String problem,
        boolean isInterrupted,
        boolean isQuorumLost,
        long echoesWithoutQuorum,
        long outageNs,
        long resolutionNs,
        boolean isSameLeader,
        boolean isLeaderKilled,
        long returnedNs)
    {
    }
}
