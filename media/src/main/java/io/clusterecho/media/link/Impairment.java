package io.clusterecho.media.link;

/**
 * What a member's media driver does to the frames of its link: the same frames in the same order have the same fate for the same
 * seed. A cut is a loss of all frames. Immutable.
 *
 * @param scope        whose frames.
 * @param memberId     the other member with {@link Scope#MEMBER}, else 0.
 * @param direction    of the frames. Those of one other member can only be impaired where they are received, as the log is sent
 *                     to all followers at once; to cut a pair, impair both. Frames that are sent can only be lost.
 * @param lossPpm      probability of loss of each frame, in millionths, from 0 to {@link #ALL_PPM}.
 * @param delayNs      delay of each frame, in ns, from 0.
 * @param jitterNs     largest further delay, uniformly distributed, in ns, from 0; does not reorder frames.
 * @param duplicatePpm probability that a frame arrives twice, in millionths.
 * @param reorderPpm   probability that a frame is held for {@link #OVERTAKING_NS} longer, so that later ones overtake it, in
 *                     millionths.
 * @param seed         of what is drawn.
 */
public record Impairment(
    Scope scope,
    int memberId,
    Direction direction,
    int lossPpm,
    long delayNs,
    long jitterNs,
    int duplicatePpm,
    int reorderPpm,
    long seed)
{
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

    public static final Impairment NONE = new Impairment(Scope.ALL, 0, Direction.BOTH, 0, 0, 0, 0, 0, 0);

    /** @throws IllegalArgumentException if a value is out of range, or not possible with the direction. */
    public Impairment
    {
        checkRange("lossPpm", lossPpm, ALL_PPM);
        checkRange("duplicatePpm", duplicatePpm, ALL_PPM);
        checkRange("reorderPpm", reorderPpm, ALL_PPM);
        checkRange("delayNs", delayNs, MAX_DELAY_NS);
        checkRange("jitterNs", jitterNs, MAX_DELAY_NS);
        if (Scope.MEMBER == scope && direction.isSend())
        {
            throw new IllegalArgumentException("frames of one other member are impaired where they are received");
        }
        if (direction.isSend() && 0 != delayNs + jitterNs + duplicatePpm + reorderPpm)
        {
            throw new IllegalArgumentException("frames that are sent can only be lost");
        }
    }

    /** An impairment of all frames of a direction, by nothing yet. */
    public static Impairment of(final Direction direction)
    {
        return new Impairment(Scope.ALL, 0, direction, 0, 0, 0, 0, 0, 0);
    }

    /** An impairment of frames received from one other member, by nothing yet. */
    public static Impairment ofMember(final int memberId)
    {
        return new Impairment(Scope.MEMBER, memberId, Direction.RECEIVE, 0, 0, 0, 0, 0, 0);
    }

    /** An impairment of frames from and to clients, by nothing yet. */
    public static Impairment ofClients(final Direction direction)
    {
        return new Impairment(Scope.CLIENTS, 0, direction, 0, 0, 0, 0, 0, 0);
    }

    /** The same that loses all frames. */
    public Impairment cut()
    {
        return losing(ALL_PPM);
    }

    /** The same with another probability of loss, in millionths. */
    public Impairment losing(final int newLossPpm)
    {
        return new Impairment(
            scope, memberId, direction, newLossPpm, delayNs, jitterNs, duplicatePpm, reorderPpm, seed);
    }

    /** The same with another delay, and another largest further delay, in ns. */
    public Impairment delaying(final long newDelayNs, final long newJitterNs)
    {
        return new Impairment(
            scope, memberId, direction, lossPpm, newDelayNs, newJitterNs, duplicatePpm, reorderPpm, seed);
    }

    /** The same with another probability of duplicates, in millionths. */
    public Impairment duplicating(final int newDuplicatePpm)
    {
        return new Impairment(
            scope, memberId, direction, lossPpm, delayNs, jitterNs, newDuplicatePpm, reorderPpm, seed);
    }

    /** The same with another probability that a frame is overtaken, in millionths. */
    public Impairment reordering(final int newReorderPpm)
    {
        return new Impairment(
            scope, memberId, direction, lossPpm, delayNs, jitterNs, duplicatePpm, newReorderPpm, seed);
    }

    /** The same with another seed of what is drawn. */
    public Impairment seeded(final long newSeed)
    {
        return new Impairment(
            scope, memberId, direction, lossPpm, delayNs, jitterNs, duplicatePpm, reorderPpm, newSeed);
    }

    public boolean hasNoEffect()
    {
        return 0 == lossPpm + delayNs + jitterNs + duplicatePpm + reorderPpm;
    }

    public boolean losesAll()
    {
        return ALL_PPM == lossPpm;
    }

    private static void checkRange(final String name, final long value, final long max)
    {
        if (value < 0 || value > max)
        {
            throw new IllegalArgumentException(name + "=" + value + " is out of range: 0 to " + max);
        }
    }
}
