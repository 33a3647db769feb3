package io.clusterecho.reporting.results;

import java.util.List;

/**
 * What a verdict needs from a failover test besides its load.
 *
 * @param isExactlyOnce    whether the client sends unacknowledged messages again, so that none may be missing at the end.
 * @param cycles           in the order in which they ran.
 * @param outages          of all valid cycles in ns, unordered.
 * @param acknowledgedLost acknowledged messages that are missing from the members' logs or that the service requested again.
 * @param afterReturn      of all cycles, messages that were due once all members were back; null if none was.
 * @param lostElsewhere    measured messages without a reply that were due around no fault of a valid cycle.
 * @param firstFinding     the first of them, a sentence; empty if there is none.
 */
public record FailoverAccount(
    boolean isExactlyOnce, List<Cycle> cycles, List<Long> outages, boolean isAudited, long acknowledgedLost, long appliedTwice,
    Cycle.PartTimes afterReturn, long lostElsewhere, long findingCount, String firstFinding)
{
}
