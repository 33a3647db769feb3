package io.clusterecho.failover.lab;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * Plan of a long run in which a cluster lives through faults, purges and a rollout within a fixed amount of disk.
 * <pre>
 *   0 -- 1/8 kill leader -- 1/4 kill follower -- 2/5 rollout -- 5/8 wipe follower -- 3/4 kill leader -- duration
 *        retain, at an interval, whenever no fault is in effect
 * </pre>
 *
 * @param durationNs    from the end of the warm-up to the end of the load.
 * @param retainEveryNs from one purge to the next.
 * @param diskBytes     most that all members and the backup may have on disk.
 * @param rollout       its only pass is part of the run.
 */
public record LifePlan(long durationNs, long retainEveryNs, long diskBytes, RolloutPlan rollout)
{
    /** Snapshots that a purge keeps. */
    static final int KEPT_SNAPSHOTS = 2;

    private static final long FRAME_AND_SESSION_LENGTH = 64;
    private static final int ALIGNMENT = 32;
    private static final long FILES_BYTES = 3 * (64L << 20);
    private static final double LEADER_KILLED = 0.125;
    private static final double FOLLOWER_KILLED = 0.25;
    private static final double ROLLED_OUT = 0.4;
    private static final double WIPED = 0.625;
    private static final double KILLED_AGAIN = 0.75;

    /**
     * What happens, in order.
     */
    FaultSequence sequence(final long seed)
    {
        final int stepCount = rollout.stepCount();
        return new FaultSequence(stepCount + 4, (number) ->
        {
            if (number > 2 && number <= 2 + stepCount)
            {
                return rollout.sequence().get(number - 2);
            }
            final String victim = 1 == number || stepCount + 4 == number ? "leader" : PlannedFault.FOLLOWER;
            final Fault fault = stepCount + 3 == number ? Fault.WIPE : Fault.KILL;
            return new PlannedFault(new FaultSpec(fault), victim, (int)Math.floorMod(seed + number, 2L));
        });
    }

    /**
     * When a cycle is due, in ns since the first could begin. The steps of the rollout follow each other.
     *
     * @param number of the cycle, from 1.
     */
    long beginNs(final int number)
    {
        final int stepCount = rollout.stepCount();
        final double share = 1 == number ? LEADER_KILLED : 2 == number ? FOLLOWER_KILLED :
            number <= 2 + stepCount ? ROLLED_OUT : stepCount + 3 == number ? WIPED : KILLED_AGAIN;
        return (long)(share * durationNs);
    }

    /**
     * Check that the disk is large enough for what is logged between two purges, by members and backup.
     *
     * @throws InvalidSettingException with an interval that fits, if it is not.
     */
    public void checkDisk(final long ratePerSecond, final long lengthBytes)
    {
        final long frameLength = (FRAME_AND_SESSION_LENGTH + lengthBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        final long bytesPerSecond = ratePerSecond * frameLength;
        final int copyCount = rollout.memberCount() + 1;
        final long neededBytes =
            copyCount * (FILES_BYTES + (long)(KEPT_SNAPSHOTS * (retainEveryNs / 1e9) * bytesPerSecond));
        if (neededBytes > diskBytes)
        {
            final long freeBytes = diskBytes / copyCount - FILES_BYTES;
            final long longestS = freeBytes / (KEPT_SNAPSHOTS * bytesPerSecond);
            throw new InvalidSettingException(
                "--retain-every", Quantity.formatNs(retainEveryNs),
                (longestS < 1 ? "a lower --rate, or more than --disk " : "at most " + longestS + "s with --disk ") +
                (diskBytes >> 20) + "m: " + rollout.memberCount() + " members and a backup log " + bytesPerSecond +
                " bytes/s each, keep " + KEPT_SNAPSHOTS + " intervals, and need " + (neededBytes >> 20) + "m");
        }
    }
}
