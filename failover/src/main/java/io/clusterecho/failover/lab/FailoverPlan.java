package io.clusterecho.failover.lab;

import java.util.List;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Plan of a failover test.
 *
 * @param cycleCount     number of cycles, unless a duration is given.
 * @param durationNs     time during which new cycles begin, or 0.
 * @param faults         used round-robin or at random.
 * @param victims        used round-robin or at random: leader, follower, followers, all, each, or a member id.
 * @param isRandom       whether fault and victim of each cycle are random.
 * @param seed           of the random choices.
 * @param gapNs          pause between a recovery and the next fault.
 * @param victimReturn   when the victims return.
 * @param limitNs        time limit for a cycle to recover.
 * @param isSnapshotting whether a snapshot is taken before each fault.
 * @param script         for {@link Fault#SCRIPT}, else null.
 */
public record FailoverPlan(
    int cycleCount,
    long durationNs,
    List<Fault> faults,
    List<String> victims,
    boolean isRandom,
    long seed,
    long gapNs,
    VictimReturn victimReturn,
    long limitNs,
    boolean isSnapshotting,
    FaultScript script)
{
    /**
     * Check that at least one pair of fault and victim is allowed.
     *
     * @throws InvalidSettingException if none is.
     */
    public FailoverPlan
    {
        if (faults.stream().noneMatch((fault) -> victims.stream().anyMatch((victim) -> isAllowed(fault, victim))))
        {
            throw new InvalidSettingException(
                "--victim", String.join(",", victims),
                "one member at a time with --fault wipe, because a majority that loses its disks loses acknowledged messages");
        }
    }

    /**
     * Whether a fault may hit this many members at once. Not if it wipes a majority: that loses acknowledged messages in any
     * system.
     *
     * @param fault  to inject.
     * @param victim as in {@link #victims()}.
     * @return false for wiping more than one member at a time.
     */
    public static boolean isAllowed(final Fault fault, final String victim)
    {
        return Fault.WIPE != fault || !"all".equals(victim) && !"followers".equals(victim);
    }

    /**
     * Whether another cycle is to begin.
     *
     * @param number    of the cycle, from 1.
     * @param elapsedNs since the first cycle began.
     */
    boolean isNext(final int number, final long elapsedNs)
    {
        return durationNs > 0 ? elapsedNs < durationNs : number <= cycleCount;
    }
}
