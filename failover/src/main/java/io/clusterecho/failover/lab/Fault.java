package io.clusterecho.failover.lab;

import java.util.EnumSet;

import io.clusterecho.control.cluster.Healing;
import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.media.link.Direction;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;

/** A fault, and how it is undone. */
public enum Fault
{
    /** SIGKILL; undone by a restart. */
    KILL("kill", true, (member, with) -> member.kill(), (member, with) -> { }),

    /** SIGKILL, and again a time after the restart that undoes it; the lab starts the member once more. */
    KILL_AGAIN(
        "kill-again", true, new Strength(Strength.Unit.TIME, 1_000_000_000L, 0, 30_000_000_000L),
        (member, with) -> member.kill(), (member, with) -> { })
    {
        @Override
        void undo(final ClusterMember member, final Means with)
        {
            restart(member);
            // Less if it ends by itself.
            member.awaitExit(with.amount());
            member.kill();
        }
    },

    /** SIGKILL a time after a snapshot was requested; undone by a restart. */
    KILL_IN_SNAPSHOT(
        "kill-in-snapshot", true, new Strength(Strength.Unit.TIME, 5_000_000L, 0, 10_000_000_000L),
        (member, with) -> member.kill(), (member, with) -> { }),

    /** SIGKILL of the leader, and of the candidate for its place a time after the election began; undone by a restart of both. */
    KILL_IN_ELECTION(
        "kill-in-election", true, new Strength(Strength.Unit.TIME, 0, 0, 10_000_000_000L),
        (member, with) -> member.kill(), (member, with) -> { })
    {
        @Override
        Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
        {
            return isQuorumHit ? Expectation.NO_QUORUM : Expectation.TWO_ELECTIONS;
        }
    },

    /** SIGKILL, then delete log, snapshots and votes; undone by a restart that must recover them from the other members. */
    WIPE(
        "wipe", true, (member, with) -> member.kill(),
        (member, with) ->
        {
            member.wipe();
            Healing.seedIfPurged(member, with.peer());
        }),

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

    /** A member and its leader, or the leader and the next member, receive nothing from each other. */
    PARTITION_PAIR(
        "partition-pair", false,
        (member, with) ->
        {
            member.impair(Impairment.ofMember(with.peer().memberId()).cut());
            with.peer().impair(Impairment.ofMember(member.memberId()).cut());
        },
        (member, with) ->
        {
            member.restoreLink();
            with.peer().restoreLink();
        })
    {
        @Override
        Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
        {
            return isQuorumHit ? Expectation.NO_QUORUM : Expectation.LEADER_STAYS;
        }
    },

    /** Clients receive nothing from the member, and it receives nothing from them. */
    PARTITION_CLIENTS(
        "partition-clients", false, (member, with) -> member.impair(Impairment.ofClients(Direction.BOTH).cut()),
        (member, with) -> member.restoreLink())
    {
        @Override
        Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
        {
            return isLeaderHit ? Expectation.NO_CLIENTS : Expectation.LEADER_STAYS;
        }

        @Override
        boolean isSilencing()
        {
            // It still takes part in the quorum.
            return false;
        }
    },

    /** A share of the frames that the member receives is lost. */
    LINK_LOSS(
        "link-loss", new Strength(Strength.Unit.SHARE, 100_000, 1_000, 300_000),
        (received, amount) -> received.losing((int)amount)),

    /** Each frame that the member receives is held. */
    LINK_DELAY(
        "link-delay", new Strength(Strength.Unit.TIME, 20_000_000, 1_000, 1_000_000_000),
        (received, amount) -> received.delaying(amount, 0)),

    /** Each frame that the member receives is held for up to a time. */
    LINK_JITTER(
        "link-jitter", new Strength(Strength.Unit.TIME, 20_000_000, 1_000, 1_000_000_000),
        (received, amount) -> received.delaying(0, amount)),

    /** A share of the frames that the member receives arrives twice. */
    LINK_DUPLICATE(
        "link-duplicate", new Strength(Strength.Unit.SHARE, 100_000, 1_000, 500_000),
        (received, amount) -> received.duplicating((int)amount)),

    /** A share of the frames that the member receives is overtaken by later ones. */
    LINK_REORDER(
        "link-reorder", new Strength(Strength.Unit.SHARE, 100_000, 1_000, 500_000),
        (received, amount) -> received.reordering((int)amount)),

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

    /** Each write and each sync of the member takes longer. */
    SLOW_DISK(
        "slow-disk", false, new Strength(Strength.Unit.TIME, 10_000_000L, 1_000L, 10_000_000_000L),
        (member, with) ->
        {
            member.calls(new CallFault(CallFault.Kind.SLOW_WRITE, with.amount()));
            member.calls(new CallFault(CallFault.Kind.SLOW_SYNC, with.amount()));
        },
        (member, with) -> member.releaseCalls())
    {
        @Override
        boolean isSilencing()
        {
            return false;
        }

        @Override
        Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
        {
            return isLeaderHit || isQuorumHit ? Expectation.ONE_ELECTION : Expectation.LEADER_STAYS;
        }
    },

    /** Each write and each sync of the member waits, whatever disk its folder is on. */
    WRITE_STALL(
        "write-stall", false, (member, with) -> member.calls(CallFault.of(CallFault.Kind.STALL)),
        (member, with) -> member.releaseCalls()),

    /** Syncs of the member fail. */
    SYNC_ERROR(
        "sync-error", false, new Strength(Strength.Unit.COUNT, 1, 1, 1_000_000_000L),
        (member, with) -> member.calls(new CallFault(CallFault.Kind.SYNC_ERROR, with.amount())),
        (member, with) -> member.releaseCalls())
    {
        @Override
        boolean isSilencing()
        {
            // Only from the next sync on, if there is one.
            return false;
        }
    },

    /** The member's disk is full after some more bytes. */
    DISK_FULL_AFTER(
        "disk-full-after", false, new Strength(Strength.Unit.SIZE, 64 << 10, 0, 1L << 40),
        (member, with) -> member.calls(new CallFault(CallFault.Kind.NO_SPACE, with.amount())),
        (member, with) -> member.releaseCalls())
    {
        @Override
        boolean isSilencing()
        {
            return false;
        }
    },

    /** The wall clock of the member's machine jumps, as that process sees it; undone by a jump back. */
    CLOCK_STEP(
        "clock-step", false,
        new Strength(Strength.Unit.SIGNED_TIME, 600_000_000_000L, -31_536_000_000_000_000L, 31_536_000_000_000_000L),
        (member, with) -> member.calls(new CallFault(CallFault.Kind.CLOCK_STEP, with.amount())),
        (member, with) ->
        {
            member.releaseCalls();
            // It may end because of the correction. Otherwise that would be in the next cycle.
            member.awaitExit(Means.CLOCK_TIMEOUT_NS);
        })
    {
        @Override
        boolean isSilencing()
        {
            return false;
        }
    },

    /** The member can open no further file and no further socket. */
    FILE_LIMIT(
        "file-limit", false, new Strength(Strength.Unit.COUNT, 0, 0, 1_000_000),
        (member, with) -> member.limitFiles(with.amount()),
        (member, with) ->
        {
            if (member.isAlive())
            {
                member.releaseFiles();
            }
        })
    {
        @Override
        boolean isSilencing()
        {
            // What is open can be used.
            return false;
        }

        @Override
        Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
        {
            return isLeaderHit || isQuorumHit ? Expectation.ONE_ELECTION : Expectation.LEADER_STAYS;
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

    /** Delays from here on may look like the silence of a leader. */
    private static final long LONG_DELAY_NS = 100_000_000L;

    private final String label;
    private final boolean isEndingProcess;
    private final Strength strength;
    private final Action injection;
    private final Action undoing;
    private final boolean isGray;

    /**
     * What a fault needs besides the member that it hits.
     *
     * @param peer   another member for {@link #PARTITION_PAIR} and {@link #WIPE}, else null.
     * @param script for {@link #SCRIPT}, else null.
     */
    record Means(long amount, ClusterMember peer, FaultScript script)
    {
        /** Aeron compares clocks every second. */
        private static final long CLOCK_TIMEOUT_NS = 3_000_000_000L;
    }

    /** Injects a fault, or undoes it. */
    private interface Action
    {
        void apply(ClusterMember member, Means with);
    }

    /** Gives an impairment its strength. */
    private interface Worsening
    {
        Impairment apply(Impairment received, long amount);
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
        isGray = false;
    }

    /** A fault of the frames that a member receives, after which it still takes part. */
    Fault(final String label, final Strength strength, final Worsening worsening)
    {
        this.label = label;
        isEndingProcess = false;
        this.strength = strength;
        injection = (member, with) -> member.impair(
            worsening.apply(Impairment.of(Direction.RECEIVE), with.amount()).seeded(member.memberId()));
        undoing = (member, with) -> member.restoreLink();
        isGray = true;
    }

    /** Name in options and results. */
    @Override
    public String toString()
    {
        return label;
    }

    /** Whether it needs members whose media drivers can impair their links. */
    public boolean isOfLink()
    {
        return isGray || isOfAddresses() || PARTITION == this || PARTITION_INBOUND == this || PARTITION_OUTBOUND == this;
    }

    /** Whether it needs members that know each other and clients by their addresses. */
    public boolean isOfAddresses()
    {
        return PARTITION_PAIR == this || PARTITION_CLIENTS == this;
    }

    /** Whether it needs members with disks of their own, see {@link DiskAction}. */
    public boolean isOfDisk()
    {
        return POWER_LOSS == this || DISK_STALL == this || DISK_FULL == this;
    }

    /** Whether it needs members with the fault library, see {@link CallFault}. */
    public boolean isOfCalls()
    {
        return SLOW_DISK == this || WRITE_STALL == this || SYNC_ERROR == this || DISK_FULL_AFTER == this || CLOCK_STEP == this;
    }

    /** Whether a write may have ended in the middle of a message, which the member then refuses. */
    boolean isCuttingWrites()
    {
        return DISK_FULL == this || DISK_FULL_AFTER == this;
    }

    /** Members that it hits beside its victims, some time after them. */
    int laterVictimCount()
    {
        return KILL_IN_ELECTION == this ? 1 : 0;
    }

    /** Whether its victim still takes part, over links that are worse. */
    boolean isGray()
    {
        return isGray;
    }

    /** Whether its victim can still take part in elections and acknowledge messages, if later than others. */
    boolean isTakingPart()
    {
        return isGray || PARTITION_CLIENTS == this || SLOW_DISK == this;
    }

    /** What its strength is. */
    Strength strength()
    {
        return strength;
    }

    /**
     * What it may do to the replies.
     *
     * @param isLeaderHit whether the leader is a victim.
     * @param isQuorumHit whether too few members for a quorum are spared.
     */
    Expectation expectation(final long amount, final boolean isLeaderHit, final boolean isQuorumHit)
    {
        if (isGray)
        {
            final boolean isLong = Strength.Unit.TIME == strength.unit() && amount >= LONG_DELAY_NS;
            return isLong ? Expectation.ONE_ELECTION : Expectation.LEADER_STAYS;
        }

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

    /** Whether the fault ends the member's process; others may, when they are undone. */
    boolean isEndingProcess()
    {
        return isEndingProcess;
    }

    /** Whether a victim acknowledges nothing until the fault is undone. */
    boolean isSilencing()
    {
        return !isGray;
    }

    Cycle.Effect effect()
    {
        return EnumSet.of(KILL, KILL_AGAIN, KILL_IN_SNAPSHOT, KILL_IN_ELECTION, WIPE).contains(this) ? Cycle.Effect.KILLS :
            isSilencing() ? Cycle.Effect.SILENCES : Cycle.Effect.HINDERS;
    }

    /** Whether the fault has taken effect: the member no longer takes part in the cluster. */
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
