package io.clusterecho.failover.lab;

import java.util.function.IntFunction;

import io.clusterecho.settings.Quantity;

/**
 * Plan of a failover test.
 *
 * @param cycleCount     number of cycles, unless a duration is given.
 * @param durationNs     time during which new cycles begin, or 0.
 * @param sequence       of the faults, each by the number of its cycle from 1 alone.
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
    int cycleCount, long durationNs, IntFunction<PlannedFault> sequence, long gapNs, VictimReturn victimReturn, long limitNs,
    boolean isSnapshotting, boolean isPurging, long logLengthBytes, FaultScript script, Rollout.Plan rollout)
{
    /**
     * A plan of a rollout. Each member is started again as soon as the others serve without it, and takes a snapshot before it is
     * stopped.
     */
    public static FailoverPlan of(final Rollout.Plan rollout, final long gapNs, final long limitNs)
    {
        final PlannedFault step = new PlannedFault(FaultSpec.parse("term"), PlannedFault.NEXT, 0);
        return new FailoverPlan(
            rollout.stepCount(), 0, (number) -> step, gapNs, new VictimReturn(true, 0), limitNs, true,
            false, 0, null, rollout);
    }

    /** Whether a cycle, by its number from 1, is to begin this long after the first one. */
    boolean isNext(final int number, final long elapsedNs)
    {
        return durationNs > 0 ? elapsedNs < durationNs : number <= cycleCount;
    }

    /**
     * When the victims of a fault return, that is, are restarted, resumed or reconnected.
     *
     * @param isOnceRecovered whether echoes must have resumed without them; without a quorum the time is enough.
     * @param afterNs         minimum time after the fault in ns.
     */
    public record VictimReturn(boolean isOnceRecovered, long afterNs)
    {
        private static final String AUTO = "auto";
        private static final long AUTO_NS = 3_000_000_000L;

        /** @throws IllegalArgumentException if the text is not auto or a time. */
        public static VictimReturn parse(final String text)
        {
            try
            {
                return AUTO.equals(text) ? new VictimReturn(true, AUTO_NS) :
                    new VictimReturn(false, Quantity.parseDurationNs(text));
            }
            catch (final IllegalArgumentException ex)
            {
                throw new IllegalArgumentException(AUTO + " or " + ex.getMessage(), ex);
            }
        }
    }
}
