package io.clusterecho.failover.lab;

import java.util.Set;
import java.util.function.ToLongFunction;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;

/**
 * A fault, and how it is undone. {@link Faults} has all.
 *
 * @param injection of one victim that runs. A fault that does not end the process is in effect on return.
 * @param undoing   of one victim. If the fault ends the process, the process has ended.
 */
public record Fault(
    String name, Strength strength, Set<Trait> traits, Outcome outcome, Action injection, Action undoing)
{
    /** What a fault needs, and what it does. */
    public enum Trait
    {
        /** It ends the member's process; other faults may, when they are undone. */
        ENDS_PROCESS,
        /** It leaves the leader no time to transfer its leadership. */
        KILLS,
        /** A victim may acknowledge messages before the fault is undone. */
        ACKNOWLEDGES,
        /** A victim takes part in elections and acknowledges messages, if later than others. */
        TAKES_PART,
        /** It needs members whose media drivers can impair their links. */
        OF_LINK,
        /** It needs members that know each other and clients by their addresses. */
        OF_ADDRESSES,
        /** It needs members with disks of their own, see {@link io.clusterecho.control.member.DiskAction}. */
        OF_DISK,
        /** It needs members with the fault library, see {@link io.clusterecho.control.member.CallFault}. */
        OF_CALLS,
        /** It needs {@link FaultScript}. */
        OF_SCRIPT,
        /** A file in the folder of a member may have to wait until it is undone. */
        STALLS_FILES,
        /** It needs a file in the folder of a member that is not its victim. */
        NEEDS_OTHERS_FILES,
        /** A write may end in the middle of a message, which the member then refuses. */
        CUTS_WRITES,
        /** It deletes what the member had acknowledged. */
        DELETES_DATA,
        /** The disks lose what was written and not synced, once all victims are killed. */
        LOSES_POWER,
        /** It comes its strength after the leader was asked for a snapshot. */
        AFTER_SNAPSHOT_REQUEST,
        /** It may hit one member at a time. */
        HITS_ONE,
        /** Undoing it ends the process once more. */
        RETURNS_TWICE
    }

    /** What the strength of a fault is, its default, and its allowed range, as {@code --fault} takes them. */
    record Strength(Unit unit, String defaultText, String min, String max)
    {
        /** For faults without a strength. */
        static final Strength NONE = new Strength(Unit.NONE, "", "", "");

        enum Unit
        {
            NONE((text) -> 0),

            /** A share, as parts per million. */
            SHARE((text) -> Math.round(1e6 * Quantity.parseShare(text))),

            /** In ns. */
            TIME(Quantity::parseDurationNs),

            /** In ns, may be negative. */
            SIGNED_TIME((text) -> text.startsWith("-") ? -Quantity.parseDurationNs(text.substring(1)) :
                Quantity.parseDurationNs(text.startsWith("+") ? text.substring(1) : text)),

            /** In bytes. */
            SIZE(Quantity::parseSize),

            COUNT(Long::parseLong);

            final ToLongFunction<String> parser;

            Unit(final ToLongFunction<String> parser)
            {
                this.parser = parser;
            }
        }

        /** @throws IllegalArgumentException with what is allowed, if the strength is not. */
        long parse(final String name, final String text)
        {
            try
            {
                final ToLongFunction<String> parser = unit.parser;
                final long value = parser.applyAsLong(text);
                return Setting.checked(value >= parser.applyAsLong(min) && value <= parser.applyAsLong(max), value);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new IllegalArgumentException("the strength of " + name + " is from " + min + " to " + max, ex);
            }
        }
    }

    /** Injects a fault, or undoes it. May throw a {@link io.clusterecho.control.member.ControlFailure}. */
    interface Action
    {
        /** @param with what the fault needs besides the member. */
        void apply(ClusterMember member, Victims with);
    }

    /** What a fault may do to the replies. */
    interface Outcome
    {
        /** @param isQuorumHit whether too few members for a quorum are spared. */
        Expectation of(long amount, boolean isLeaderHit, boolean isQuorumHit);
    }

    /** A fault without a strength that silences its victims. */
    Fault(final String name, final Set<Trait> traits, final Action injection, final Action undoing)
    {
        this(name, Strength.NONE, traits, Faults.SILENCE, injection, undoing);
    }

    public boolean is(final Trait trait)
    {
        return traits.contains(trait);
    }

    /** Whether a victim acknowledges nothing until the fault is undone. */
    boolean isSilencing()
    {
        return !is(Trait.ACKNOWLEDGES) && !is(Trait.TAKES_PART);
    }

    Cycle.Effect effect()
    {
        return is(Trait.KILLS) ? Cycle.Effect.KILLS : isSilencing() ? Cycle.Effect.SILENCES : Cycle.Effect.HINDERS;
    }
}
