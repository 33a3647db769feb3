package io.clusterecho.media.link;

import io.clusterecho.settings.IllegalArgument;

/**
 * What a member's media driver does to the frames of its link: the same frames in the same order have the same fate for the same
 * seed. A cut is a loss of all frames. Immutable.
 *
 * @param scope     whose frames.
 * @param memberId  the other member with {@link Scope#MEMBER}, else 0.
 * @param direction of the frames. Those of one other member can only be impaired where they are received, as the log is sent
 *                  to all followers at once; to cut a pair, impair both. Frames that are sent can only be lost.
 * @param effect    of which no frame has any if the amount is 0.
 * @param seed      of what is drawn.
 */
public record Impairment(Scope scope, int memberId, Direction direction, Effect effect, long amount, long seed)
{
    /** What happens to a frame, with an amount from 0. */
    public enum Effect
    {
        /** Probability that it is lost. */
        LOSS_PPM(ALL_PPM),

        DELAY_NS(MAX_DELAY_NS),

        /** Largest further delay, uniformly distributed; does not reorder frames. */
        JITTER_NS(MAX_DELAY_NS),

        /** Probability that it arrives twice. */
        DUPLICATE_PPM(ALL_PPM),

        /** Probability that it is held for {@link Impairment#OVERTAKING_NS} longer, so that later ones overtake it. */
        REORDER_PPM(ALL_PPM);

        private final long max;

        Effect(final long max)
        {
            this.max = max;
        }

        boolean isDelay()
        {
            return DELAY_NS == this || JITTER_NS == this;
        }
    }

    /** The frames of a member that an impairment applies to. */
    public enum Direction
    {
        /** The first, as in {@link Impairment#NONE}. */
        BOTH,

        SEND,

        RECEIVE;

        boolean isSend()
        {
            return RECEIVE != this;
        }

        boolean isReceive()
        {
            return SEND != this;
        }
    }

    /** Whose frames an impairment applies to. */
    public enum Scope
    {
        /** All, also a member's own over UDP. */
        ALL,

        MEMBER,

        /** Everyone but members. */
        CLIENTS
    }

    /** Probability of what always happens, in millionths. */
    public static final int ALL_PPM = 1_000_000;

    /** Longest delay, and longest jitter, in ns. */
    public static final long MAX_DELAY_NS = 10_000_000_000L;

    /** Time that a frame is held to be overtaken, in ns: longer than messages at some hundreds a second are apart. */
    public static final long OVERTAKING_NS = 5_000_000L;

    public static final Impairment NONE = of(Direction.BOTH);

    /** @throws IllegalArgumentException if a value is out of range, or not possible with the direction. */
    public Impairment
    {
        IllegalArgument.throwIf(
            amount < 0 || amount > effect.max, effect + "=" + amount + " is out of range: 0 to " + effect.max);
        IllegalArgument.throwIf(
            Scope.MEMBER == scope && direction.isSend(), "frames of one other member are impaired where they are received");
        IllegalArgument.throwIf(direction.isSend() && Effect.LOSS_PPM != effect, "frames that are sent can only be lost");
    }

    /** An impairment of all frames of a direction, by nothing yet. */
    public static Impairment of(final Direction direction)
    {
        return new Impairment(Scope.ALL, 0, direction, Effect.LOSS_PPM, 0, 0);
    }

    /** An impairment of frames received from one other member, by nothing yet. */
    public static Impairment ofMember(final int memberId)
    {
        return new Impairment(Scope.MEMBER, memberId, Direction.RECEIVE, Effect.LOSS_PPM, 0, 0);
    }

    /** An impairment of frames from and to clients, by nothing yet. */
    public static Impairment ofClients(final Direction direction)
    {
        return new Impairment(Scope.CLIENTS, 0, direction, Effect.LOSS_PPM, 0, 0);
    }

    public Impairment cut()
    {
        return with(Effect.LOSS_PPM, ALL_PPM);
    }

    boolean isCut()
    {
        return Effect.LOSS_PPM == effect && ALL_PPM == amount;
    }

    public Impairment with(final Effect newEffect, final long newAmount)
    {
        return new Impairment(scope, memberId, direction, newEffect, newAmount, seed);
    }

    public Impairment seeded(final long newSeed)
    {
        return new Impairment(scope, memberId, direction, effect, amount, newSeed);
    }
}
