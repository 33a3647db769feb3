package io.clusterecho.failover.lab;

/**
 * Plan of a failover test.
 *
 * @param cycleCount     number of cycles, unless a duration is given.
 * @param durationNs     time during which new cycles begin, or 0.
 * @param sequence       of the faults.
 * @param gapNs          pause between a recovery and the next fault.
 * @param limitNs        time limit for a cycle to recover.
 * @param isSnapshotting whether a snapshot is taken before each fault.
 * @param isPurging      whether each member purges the log before that snapshot, and its older ones.
 * @param logLengthBytes by which the log grows between that snapshot and the fault, at least; without a snapshot the length of
 *                       all of it.
 * @param script         for a fault that needs one, else null.
 * @param rollout        whose steps are the cycles, else null.
 */
public record FailoverPlan(
    int cycleCount,
    long durationNs,
    FaultSequence sequence,
    long gapNs,
    VictimReturn victimReturn,
    long limitNs,
    boolean isSnapshotting,
    boolean isPurging,
    long logLengthBytes,
    FaultScript script,
    RolloutPlan rollout)
{
    /**
     * A plan of a rollout. Each member is started again as soon as the others serve without it, and takes a snapshot before it is
     * stopped.
     */
    public static FailoverPlan of(final RolloutPlan rollout, final long gapNs, final long limitNs)
    {
        return new FailoverPlan(
            rollout.stepCount(), 0, rollout.sequence(), gapNs, new VictimReturn(true, 0), limitNs, true,
            false, 0, null, rollout);
    }

    /** Whether a cycle, by its number from 1, is to begin this long after the first one. */
    boolean isNext(final int number, final long elapsedNs)
    {
        return durationNs > 0 ? elapsedNs < durationNs : number <= cycleCount;
    }
}
