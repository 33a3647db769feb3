package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The fault of one cycle, and who is hit by it.
 *
 * @param victim leader, follower, followers, all, each, next, or a member id.
 * @param pick   selects one of several members for follower and each, 0 or more.
 * @param second another fault in the same cycle, or null.
 */
public record PlannedFault(FaultSpec spec, String victim, int pick, Second second)
{
    /** One of the followers, by {@link PlannedFault#pick()}. */
    static final String FOLLOWER = "follower";
    /** One of the members, by {@link PlannedFault#pick()}. */
    static final String EACH = "each";

    /** The member that a rollout replaces next. */
    static final String NEXT = "next";

    private static final String LEADER = "leader";
    private static final String FOLLOWERS = "followers";
    private static final String ALL = "all";

    /** Allowed victims, besides member ids. */
    public static final List<String> VICTIMS = List.of(LEADER, FOLLOWER, FOLLOWERS, ALL, EACH);

    /** A fault that follows another after at least this time, in ns; it has no second one. */
    public record Second(PlannedFault planned, long afterNs)
    {
    }

    /** A fault without a second one. */
    public PlannedFault(final FaultSpec spec, final String victim, final int pick)
    {
        this(spec, victim, pick, null);
    }

    /**
     * The faults of a test, each by the number of its cycle from 1: faults and victims, both used round-robin; the seed chooses
     * among several followers.
     *
     * @throws InvalidSettingException if a fault may not hit the victims that it meets.
     */
    public static IntFunction<PlannedFault> roundRobin(final List<FaultSpec> specs, final List<String> victims, final long seed)
    {
        final IntFunction<PlannedFault> sequence = (number) ->
        {
            final int index = number - 1;
            final String hit = victims.get(index % victims.size());
            final int picked = EACH.equals(hit) ? index / victims.size() : random(seed, number).nextInt(Integer.MAX_VALUE);
            return new PlannedFault(specs.get(index % specs.size()), hit, picked);
        };
        IntStream.rangeClosed(1, specs.size() * victims.size()).mapToObj(sequence).forEach(PlannedFault::check);
        return sequence;
    }

    /**
     * The same, each drawn at random, with one of the victims that it may hit.
     *
     * @param victims   as in {@link #victim()}.
     * @param overlapNs latest time of a second fault after the first of its cycle, in ns; 0 for cycles of one fault.
     * @throws InvalidSettingException if a fault may hit none of the victims.
     */
    public static IntFunction<PlannedFault> random(
        final List<FaultSpec> specs, final List<String> victims, final long seed, final long overlapNs)
    {
        specs.stream().filter((spec) -> allowed(spec, victims).isEmpty())
            .forEach((spec) -> check(new PlannedFault(spec, victims.get(0), 0)));
        return (number) ->
        {
            final SplittableRandom random = random(seed, number);
            final PlannedFault first = draw(specs, victims, random);
            if (0 == overlapNs)
            {
                return first;
            }
            final PlannedFault second = draw(specs, victims, random);
            final long afterNs = random.nextLong(overlapNs);
            return !first.isAllowedWith(second) ? first :
                new PlannedFault(first.spec, first.victim, first.pick, new Second(second, afterNs));
        };
    }

    private static PlannedFault draw(final List<FaultSpec> specs, final List<String> victims, final SplittableRandom random)
    {
        final FaultSpec spec = specs.get(random.nextInt(specs.size()));
        final List<String> candidates = allowed(spec, victims);
        return new PlannedFault(spec, candidates.get(random.nextInt(candidates.size())), random.nextInt(Integer.MAX_VALUE));
    }

    private static List<String> allowed(final FaultSpec spec, final List<String> victims)
    {
        return victims.stream().filter((victim) -> new PlannedFault(spec, victim, 0).isAllowed()).toList();
    }

    private static void check(final PlannedFault planned)
    {
        InvalidSettingException.throwIf(
            !planned.isAllowed(), "--victim", planned.victim(), "one member at a time with --fault " + planned.spec() +
            (planned.spec().fault().is(Fault.Trait.DELETES_DATA) ?
            ", because data that a majority lost cannot be recovered" : ""));
    }

    private static SplittableRandom random(final long seed, final int number)
    {
        return new SplittableRandom(seed + number * 0x9E37_79B9_7F4A_7C15L);
    }

    private boolean is(final Fault.Trait trait)
    {
        return spec.fault().is(trait);
    }

    /** For a result. */
    Cycle.Hit hit(final List<Integer> victims)
    {
        return new Cycle.Hit(spec.toString(), victim, pick, victims, spec.fault().effect());
    }

    /**
     * Whether the fault may hit this many members at once. Not if it wipes a majority: that loses acknowledged messages in any
     * system. Nor if it is of one pair.
     */
    public boolean isAllowed()
    {
        return !is(Fault.Trait.HITS_ONE) || !ALL.equals(victim) && !FOLLOWERS.equals(victim);
    }

    /**
     * What it and its second fault may do to the replies, wherever the second one hits; the leader and count are of the first.
     */
    Expectation expectation(final boolean isLeaderHit, final int hitCount, final int memberCount)
    {
        if (null == second)
        {
            return spec.fault().outcome().of(spec.amount(), isLeaderHit, isQuorumHit(hitCount, memberCount));
        }

        // The first victims may still start or catch up when the second fault hits others.
        final PlannedFault next = second.planned;
        final int nextCount = ALL.equals(next.victim) ? memberCount : FOLLOWERS.equals(next.victim) ? memberCount - 1 : 1;
        final int awayCount = is(Fault.Trait.TAKES_PART) ? 0 : hitCount;
        final int nextAwayCount = next.is(Fault.Trait.TAKES_PART) ? 0 : nextCount;
        if (isQuorumHit(awayCount + nextAwayCount, memberCount))
        {
            return Expectation.NO_QUORUM;
        }
        final Expectation expected =
            spec.fault().outcome().of(spec.amount(), isLeaderHit, isQuorumHit(hitCount + nextAwayCount, memberCount));
        // Who is a follower now may lead before the fault ends.
        final boolean isNextLeading = Expectation.LEADER_STAYS != expected || !next.victim.startsWith(FOLLOWER);
        final Expectation nextExpected = next.spec.fault().outcome().of(
            next.spec.amount(), isNextLeading, isQuorumHit(nextCount + awayCount, memberCount));
        return expected.and(nextExpected, is(Fault.Trait.TAKES_PART) == next.is(Fault.Trait.TAKES_PART));
    }

    static boolean isQuorumHit(final int hitCount, final int memberCount)
    {
        return 2 * (memberCount - hitCount) <= memberCount;
    }

    /**
     * Whether another fault may follow while this one is in effect. Not if one of them deletes data: what a majority had is then
     * with one member only. Nor if both are of disks, nor if this one stalls a disk and the other is of a pair: its request is a
     * file in the folder of the leader, too, on a disk that may be stalled.
     */
    boolean isAllowedWith(final PlannedFault other)
    {
        return !is(Fault.Trait.DELETES_DATA) && !other.is(Fault.Trait.DELETES_DATA) &&
            !(is(Fault.Trait.OF_DISK) && other.is(Fault.Trait.OF_DISK)) &&
            !(is(Fault.Trait.STALLS_FILES) && other.is(Fault.Trait.NEEDS_OTHERS_FILES));
    }

    /** The members that the fault hits, of a cluster in which all are in one term; empty if none matches. */
    List<ClusterMember> victims(final FailoverLab lab)
    {
        final Cluster cluster = lab.cluster;
        final Optional<ClusterMember> leader = cluster.leader();
        final List<ClusterMember> followers = cluster.members().stream()
            .filter((member) -> leader.isPresent() && member.memberId() != leader.get().memberId()).toList();
        return switch (victim)
        {
            case LEADER -> leader.stream().toList();
            case FOLLOWER -> picked(followers);
            case FOLLOWERS -> followers;
            case ALL -> cluster.members();
            case EACH -> picked(cluster.members());
            case NEXT -> lab.rollout.next();
            default -> cluster.members().stream()
                .filter((member) -> victim.equals(String.valueOf(member.memberId()))).toList();
        };
    }

    /**
     * The members that the fault hits as the second of its cycle, in any state of it: one or all of those that run and that the
     * first fault does not affect, none now if empty. Any of them counts as leader or follower while there is no leader.
     */
    List<ClusterMember> victimsBeside(final FailoverLab lab, final List<Integer> affected)
    {
        final List<ClusterMember> free = lab.cluster.members().stream()
            .filter((member) -> !affected.contains(member.memberId()) && member.isAlive()).toList();
        final boolean isLeaderless = lab.cluster.leader().isEmpty();
        if (isLeaderless && (LEADER.equals(victim) || FOLLOWER.equals(victim)))
        {
            return picked(free);
        }
        return victims(lab).stream()
            .filter((member) -> free.stream().anyMatch((one) -> one.memberId() == member.memberId())).toList();
    }

    private List<ClusterMember> picked(final List<ClusterMember> members)
    {
        return members.isEmpty() ? members : List.of(members.get(pick % members.size()));
    }
}
