package io.clusterecho.failover.lab;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.failover.lab.Fault.Action;
import io.clusterecho.failover.lab.Fault.Outcome;
import io.clusterecho.failover.lab.Fault.Strength;
import io.clusterecho.failover.lab.Fault.Trait;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.link.Impairment.Effect;
import io.clusterecho.reporting.results.Expectation;

/** The table of all faults. */
public final class Faults
{
    static final Outcome SILENCE = (amount, isLeaderHit, isQuorumHit) ->
        isQuorumHit ? Expectation.NO_QUORUM : isLeaderHit ? Expectation.ONE_ELECTION : Expectation.LEADER_STAYS;

    /** A leader that is too slow, or as slow as its followers. */
    private static final Outcome SLOWNESS = (amount, isLeaderHit, isQuorumHit) ->
        isLeaderHit || isQuorumHit ? Expectation.ONE_ELECTION : Expectation.LEADER_STAYS;

    /** Delays from 100 ms on may look like the silence of a leader. */
    private static final Outcome LATENESS = (amount, isLeaderHit, isQuorumHit) ->
        amount >= 100_000_000L ? Expectation.ONE_ELECTION : Expectation.LEADER_STAYS;

    private static final Outcome NONE = (amount, isLeaderHit, isQuorumHit) -> Expectation.LEADER_STAYS;

    /** Aeron compares clocks every second. */
    private static final long CLOCK_TIMEOUT_NS = 3_000_000_000L;
    private static final Strength LINK_DELAY = new Strength(Strength.Unit.TIME, "20ms", "1us", "1s");

    private static final Action KILL = (member, with) -> member.kill();
    private static final Action RESTART = (member, with) -> with.restart(member);
    private static final Action RESTORE_LINK = (member, with) -> member.restoreLink();
    private static final Action RELEASE_CALLS = (member, with) -> member.releaseCalls();

    /** In the order of the help. */
    public static final List<Fault> ALL = List.of(
        // SIGKILL; undone by a restart.
        killing("kill", Strength.NONE),

        // SIGKILL, and again a time after the restart that undoes it; the lab starts the member once more.
        new Fault(
            "kill-again", new Strength(Strength.Unit.TIME, "1s", "0s", "30s"),
            Set.of(Trait.ENDS_PROCESS, Trait.KILLS, Trait.RETURNS_TWICE), SILENCE, KILL,
            (member, with) ->
            {
                with.restart(member);
                // Less if it ends by itself.
                member.awaitExit(with.amount);
                member.kill();
            }),

        // SIGKILL a time after a snapshot was requested; undone by a restart.
        killing("kill-in-snapshot", new Strength(Strength.Unit.TIME, "5ms", "0s", "10s"), Trait.AFTER_SNAPSHOT_REQUEST),

        // SIGKILL, then delete log, snapshots and votes; undone by a restart that must recover them from the other members.
        new Fault(
            "wipe", Set.of(Trait.ENDS_PROCESS, Trait.KILLS, Trait.DELETES_DATA, Trait.HITS_ONE), KILL,
            (member, with) ->
            {
                member.wipe();
                with.peerOf(member).seedAfterPurge().ifPresent(member::putSeed);
                with.restart(member);
            }),

        // SIGTERM: a clean stop with a transfer of leadership; undone by a restart.
        new Fault("term", Set.of(Trait.ENDS_PROCESS), (member, with) -> member.terminate(), RESTART),

        // SIGKILL, and the disk loses what was written and not synced; undone by a restart.
        killing("power-loss", Strength.NONE, Trait.LOSES_POWER, Trait.OF_DISK),

        // SIGSTOP, which has stopped all threads when it returns; undone by SIGCONT.
        new Fault("pause", Set.of(), (member, with) -> member.pause(), (member, with) -> member.resume()),

        // The member's media driver drops all datagrams from and to it; undone by ceasing to drop them.
        cutting("partition", Direction.BOTH),

        // The member receives nothing from others, and they receive what it sends.
        cutting("partition-inbound", Direction.RECEIVE),

        // Others receive nothing from the member, and it receives what they send.
        cutting("partition-outbound", Direction.SEND),

        // A member and its leader, or the leader and the next member, receive nothing from each other.
        new Fault(
            "partition-pair", Strength.NONE,
            Set.of(Trait.OF_LINK, Trait.OF_ADDRESSES, Trait.HITS_ONE, Trait.NEEDS_OTHERS_FILES),
            (amount, isLeaderHit, isQuorumHit) -> isQuorumHit ? Expectation.NO_QUORUM : Expectation.LEADER_STAYS,
            (member, with) ->
            {
                member.impair(Impairment.ofMember(with.partnerOf(member).memberId()).cut());
                with.partnerOf(member).impair(Impairment.ofMember(member.memberId()).cut());
            },
            (member, with) ->
            {
                member.restoreLink();
                with.partnerOf(member).restoreLink();
            }),

        // Clients receive nothing from the member, and it receives nothing from them. It still takes part in the quorum.
        new Fault(
            "partition-clients", Strength.NONE, Set.of(Trait.OF_LINK, Trait.OF_ADDRESSES, Trait.TAKES_PART),
            (amount, isLeaderHit, isQuorumHit) -> isLeaderHit ? Expectation.NO_CLIENTS : Expectation.LEADER_STAYS,
            (member, with) -> member.impair(Impairment.ofClients(Direction.BOTH).cut()), RESTORE_LINK),

        // A share of the frames that the member receives is lost.
        impairing("link-loss", new Strength(Strength.Unit.SHARE, "10%", "0.1%", "30%"), NONE, Effect.LOSS_PPM),

        // Each frame that the member receives is held.
        impairing("link-delay", LINK_DELAY, LATENESS, Effect.DELAY_NS),

        // Each frame that the member receives is held for up to a time.
        impairing("link-jitter", LINK_DELAY, LATENESS, Effect.JITTER_NS),

        // A share of the frames that the member receives arrives twice.
        impairing("link-duplicate", new Strength(Strength.Unit.SHARE, "10%", "0.1%", "50%"), NONE, Effect.DUPLICATE_PPM),

        // A share of the frames that the member receives is overtaken by later ones.
        impairing("link-reorder", new Strength(Strength.Unit.SHARE, "10%", "0.1%", "50%"), NONE, Effect.REORDER_PPM),

        // Each write to the member's disk waits; undone by letting it continue.
        new Fault(
            "disk-stall", Set.of(Trait.OF_DISK, Trait.STALLS_FILES), (member, with) -> member.disk(DiskAction.STALL),
            (member, with) -> member.disk(DiskAction.RESUME)),

        // The member's disk has no free space; undone by giving it back. Blocks that the log has already can still be written.
        new Fault(
            "disk-full", Set.of(Trait.OF_DISK, Trait.ACKNOWLEDGES, Trait.CUTS_WRITES),
            (member, with) -> member.disk(DiskAction.FILL), (member, with) -> member.disk(DiskAction.FREE)),

        // Each write and each sync of the member takes longer.
        new Fault(
            "slow-disk", new Strength(Strength.Unit.TIME, "10ms", "1us", "10s"),
            Set.of(Trait.OF_CALLS, Trait.TAKES_PART), SLOWNESS,
            (member, with) ->
            {
                member.calls(new CallFault(CallFault.Kind.SLOW_WRITE, with.amount));
                member.calls(new CallFault(CallFault.Kind.SLOW_SYNC, with.amount));
            },
            RELEASE_CALLS),

        // Each write and each sync of the member waits, whatever disk its folder is on.
        new Fault(
            "write-stall", Set.of(Trait.OF_CALLS), (member, with) -> member.calls(CallFault.of(CallFault.Kind.STALL)),
            RELEASE_CALLS),

        // Syncs of the member fail, from the next one on.
        calling(
            "sync-error", new Strength(Strength.Unit.COUNT, "1", "1", "1000000000"), CallFault.Kind.SYNC_ERROR,
            Set.of(Trait.OF_CALLS, Trait.ACKNOWLEDGES), RELEASE_CALLS),

        // The member's disk is full after some more bytes.
        calling(
            "disk-full-after", new Strength(Strength.Unit.SIZE, "65536", "0", "1024g"), CallFault.Kind.NO_SPACE,
            Set.of(Trait.OF_CALLS, Trait.ACKNOWLEDGES, Trait.CUTS_WRITES), RELEASE_CALLS),

        // The wall clock of the member's machine jumps, as that process sees it; undone by a jump back.
        calling(
            "clock-step", new Strength(Strength.Unit.SIGNED_TIME, "+600s", "-8760h", "+8760h"),
            CallFault.Kind.CLOCK_STEP, Set.of(Trait.OF_CALLS, Trait.ACKNOWLEDGES),
            (member, with) ->
            {
                member.releaseCalls();
                // It may end because of the correction. Otherwise that would be in the next cycle.
                member.awaitExit(CLOCK_TIMEOUT_NS);
            }),

        // The member can open no further file and no further socket. What is open can be used.
        new Fault(
            "file-limit", new Strength(Strength.Unit.COUNT, "0", "0", "1000000"), Set.of(Trait.ACKNOWLEDGES), SLOWNESS,
            (member, with) -> member.limitFiles(with.amount),
            (member, with) ->
            {
                if (member.isAlive())
                {
                    member.releaseFiles();
                }
            }),

        // An external program; undone by the same program.
        new Fault(
            "script", Strength.NONE, Set.of(Trait.OF_SCRIPT),
            (amount, isLeaderHit, isQuorumHit) -> isQuorumHit ? Expectation.NO_QUORUM : Expectation.ONE_ELECTION,
            (member, with) -> with.lab.plan.script().run("inject", member),
            (member, with) -> with.lab.plan.script().run("undo", member)));

    private static Fault killing(final String name, final Strength strength, final Trait... others)
    {
        final Set<Trait> traits = EnumSet.of(Trait.ENDS_PROCESS, Trait.KILLS);
        traits.addAll(List.of(others));
        return new Fault(name, strength, Set.copyOf(traits), SILENCE, KILL, RESTART);
    }

    private static Fault cutting(final String name, final Direction direction)
    {
        return new Fault(
            name, Set.of(Trait.OF_LINK), (member, with) -> member.impair(Impairment.of(direction).cut()), RESTORE_LINK);
    }

    /** A fault of the frames that a member receives. */
    private static Fault impairing(
        final String name, final Strength strength, final Outcome outcome, final Effect effect)
    {
        return new Fault(
            name, strength, Set.of(Trait.OF_LINK, Trait.TAKES_PART), outcome,
            (member, with) -> member.impair(
                Impairment.of(Direction.RECEIVE).with(effect, with.amount).seeded(member.memberId())),
            RESTORE_LINK);
    }

    private static Fault calling(
        final String name, final Strength strength, final CallFault.Kind kind, final Set<Trait> traits, final Action undoing)
    {
        return new Fault(
            name, strength, traits, SILENCE, (member, with) -> member.calls(new CallFault(kind, with.amount)), undoing);
    }
}
