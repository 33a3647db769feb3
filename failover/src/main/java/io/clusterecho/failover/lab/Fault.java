package io.clusterecho.failover.lab;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.media.link.Direction;
import io.clusterecho.media.link.Impairment;

/**
 * A fault, and how it is undone.
 */
public enum Fault
{
    /** SIGKILL; undone by a restart. */
    KILL("kill", true, (member, with) -> member.kill(), (member, with) -> { }),

    /** SIGKILL, then delete log, snapshots and votes; undone by a restart that must recover them from the other members. */
    WIPE("wipe", true, (member, with) -> member.kill(), (member, with) -> member.wipe()),

    /** SIGTERM: a clean stop with a transfer of leadership; undone by a restart. */
    TERM("term", true, (member, with) -> member.terminate(), (member, with) -> { }),

    /** SIGKILL, and the disk loses what was written and not synced; undone by a restart. */
    POWER_LOSS("power-loss", true, (member, with) -> member.kill(), (member, with) -> { })
    {
        @Override
        void complete(final ClusterMember member)
        {
            member.disk(DiskAction.LOSE_POWER);
        }
    },

    /** SIGSTOP, which has stopped all threads when it returns; undone by SIGCONT. */
    PAUSE("pause", false, (member, with) -> member.pause(), (member, with) -> member.resume()),

    /** The member's media driver drops all datagrams from and to it; undone by ceasing to drop them. */
    PARTITION("partition", false, cut(Direction.BOTH), (member, with) -> member.restoreLink()),

    /** The member receives nothing from others, and they receive what it sends. */
    PARTITION_INBOUND("partition-inbound", false, cut(Direction.RECEIVE), (member, with) -> member.restoreLink()),

    /** Others receive nothing from the member, and it receives what they send. */
    PARTITION_OUTBOUND("partition-outbound", false, cut(Direction.SEND), (member, with) -> member.restoreLink()),

    /** Each write to the member's disk waits; undone by letting it continue. */
    DISK_STALL(
        "disk-stall", false, (member, with) -> member.disk(DiskAction.STALL),
        (member, with) -> member.disk(DiskAction.RESUME)),

    /** The member's disk has no free space; undone by giving it back. */
    DISK_FULL(
        "disk-full", false, (member, with) -> member.disk(DiskAction.FILL),
        (member, with) -> member.disk(DiskAction.FREE))
    {
        @Override
        boolean isSilencing()
        {
            // Blocks that the log has already can still be written.
            return false;
        }
    },

    /** An external program; undone by the same program. */
    SCRIPT(
        "script", false, (member, with) -> with.script().inject(member), (member, with) -> with.script().undo(member))
    {
        @Override
        Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
        {
            return isQuorumHit ? Expectation.NO_QUORUM : Expectation.ONE_ELECTION;
        }
    };

    private final String label;
    private final boolean isEndingProcess;
    private final Strength strength;
    private final Action injection;
    private final Action undoing;

    /**
     * What a fault needs besides the member that it hits.
     *
     * @param amount strength of the fault.
     * @param peerId another member, for faults of the link between two.
     * @param script for {@link #SCRIPT}, else null.
     */
    record Means(long amount, int peerId, FaultScript script)
    {
    }

    /** Injects a fault, or undoes it. */
    private interface Action
    {
        void apply(ClusterMember member, Means with);
    }

    Fault(final String label, final boolean isEndingProcess, final Action injection, final Action undoing)
    {
        this(label, isEndingProcess, Strength.NONE, injection, undoing);
    }

    Fault(
        final String label,
        final boolean isEndingProcess,
        final Strength strength,
        final Action injection,
        final Action undoing)
    {
        this.label = label;
        this.isEndingProcess = isEndingProcess;
        this.strength = strength;
        this.injection = injection;
        this.undoing = undoing;
    }

    /**
     * Name in options and results.
     */
    @Override
    public String toString()
    {
        return label;
    }

    /**
     * Whether it needs members whose media drivers can drop datagrams.
     */
    public boolean isOfLink()
    {
        return PARTITION == this || PARTITION_INBOUND == this || PARTITION_OUTBOUND == this;
    }

    /**
     * Whether it needs members with disks of their own, see {@link DiskAction}.
     */
    public boolean isOfDisk()
    {
        return POWER_LOSS == this || DISK_STALL == this || DISK_FULL == this;
    }

    /**
     * What its strength is.
     */
    Strength strength()
    {
        return strength;
    }

    /**
     * What it may do to the replies.
     *
     * @param amount      strength of the fault.
     * @param isLeaderHit whether the leader is a victim.
     * @param isQuorumHit whether too few members for a quorum are spared.
     */
    Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
    {
        return isQuorumHit ? Expectation.NO_QUORUM : isLeaderHit ? Expectation.ONE_ELECTION : Expectation.LEADER_STAYS;
    }

    /**
     * Inject the fault into a running member. A fault that does not end the process is in effect on return.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    void inject(final ClusterMember member, final Means with)
    {
        injection.apply(member, with);
    }

    /**
     * The part of the injection that waits until it was begun for all victims.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    void complete(final ClusterMember member)
    {
    }

    /**
     * Undo the fault. If it ends the process, call this after the process has ended.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    void undo(final ClusterMember member, final Means with)
    {
        undoing.apply(member, with);
        if (isEndingProcess)
        {
            restart(member);
        }
    }

    /**
     * Whether the fault ends the member's process; others may, when they are undone.
     */
    boolean isEndingProcess()
    {
        return isEndingProcess;
    }

    /**
     * Whether a victim acknowledges nothing until the fault is undone.
     */
    boolean isSilencing()
    {
        return true;
    }

    /**
     * Whether the fault has taken effect: the member no longer takes part in the cluster.
     */
    boolean isInEffect(final ClusterMember member)
    {
        return !isEndingProcess() || !member.isAlive();
    }

    /**
     * Start a member whose process has ended.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    void restart(final ClusterMember member)
    {
        if (isOfDisk())
        {
            // If its disk is not mounted, it would start with an empty folder.
            member.disk(DiskAction.CHECK);
        }
        member.cleanUp();
        member.start();
    }

    private static Action cut(final Direction direction)
    {
        return (member, with) -> member.impair(Impairment.of(direction).cut());
    }
}
