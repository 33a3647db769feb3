package io.clusterecho.failover.lab;

/**
 * Plan of a failover test.
 *
 * @param cycleCount     number of cycles, unless a duration is given.
 * @param durationNs     time during which new cycles begin, or 0.
 * @param sequence       of the faults; the test ends with it at the latest.
 * @param gapNs          pause between a recovery and the next fault.
 * @param victimReturn   when the victims return.
 * @param limitNs        time limit for a cycle to recover.
 * @param isSnapshotting whether a snapshot is taken before each fault.
 * @param script         for {@link Fault#SCRIPT}, else null.
 */
public record FailoverPlan(
    int cycleCount,
    long durationNs,
    FaultSequence sequence,
    long gapNs,
    VictimReturn victimReturn,
    long limitNs,
    boolean isSnapshotting,
    FaultScript script)
{
    /**
     * Whether another cycle is to begin.
     *
     * @param number    of the cycle, from 1.
     * @param elapsedNs since the first cycle began.
     */
    boolean isNext(final int number, final long elapsedNs)
    {
        return number <= sequence.size() && (durationNs > 0 ? elapsedNs < durationNs : number <= cycleCount);
    }
}
