package io.clusterecho.failover.lab;

import java.util.List;

import io.clusterecho.settings.InvalidSettingException;

/**
 * What a failover test does.
 *
 * @param cycleCount    faults, one after the other, unless a duration is given.
 * @param durationNs    for which new cycles begin, or 0.
 * @param faults        taken in turn, or at random with a seed.
 * @param victims       taken in turn, or at random with a seed: leader, follower, followers, all, each, or a member id.
 * @param isRandom      whether fault and victim of each cycle are drawn.
 * @param seed          of what is drawn.
 * @param gapNs         between a recovery and the next fault.
 * @param victimReturn  when the victims return.
 * @param limitNs       for a cycle to recover.
 * @param isSnapshotting whether a snapshot is taken before each fault.
 * @param script        of the fault that a program of the user's makes, or null.
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
     * Checks that a cycle can be drawn.
     *
     * @throws InvalidSettingException if no fault may hit any of the victims.
     */
    public FailoverPlan
    {
        if (faults.stream().noneMatch((fault) -> victims.stream().anyMatch((victim) -> isAllowed(fault, victim))))
        {
            throw new InvalidSettingException(
                "--victim", String.join(",", victims),
                "one member at a time with --fault wipe: what a majority acknowledged and lost is gone");
        }
    }

    /**
     * Whether a fault may hit so many members at once. A majority that lost its disks has lost what it acknowledged: that
     * proves nothing.
     *
     * @param fault  to inject.
     * @param victim as in {@link #victims()}.
     * @return false for the wiping of more than one member at a time.
     */
    public static boolean isAllowed(final Fault fault, final String victim)
    {
        return Fault.WIPE != fault || !"all".equals(victim) && !"followers".equals(victim);
    }

    /**
     * Whether a cycle is to begin.
     *
     * @param number    of it, from 1.
     * @param elapsedNs since the first began.
     * @return true until the cycles are done, or the time is up.
     */
    boolean isNext(final int number, final long elapsedNs)
    {
        return durationNs > 0 ? elapsedNs < durationNs : number <= cycleCount;
    }
}
