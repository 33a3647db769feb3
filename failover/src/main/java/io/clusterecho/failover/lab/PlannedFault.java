package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Optional;

import io.clusterecho.control.member.ClusterMember;

/**
 * The fault of one cycle, and who is hit by it.
 *
 * @param spec   the fault.
 * @param victim leader, follower, followers, all, each, or a member id.
 * @param pick   selects one of several members for follower and each, 0 or more.
 */
public record PlannedFault(FaultSpec spec, String victim, int pick)
{
    /** One of the followers, by {@link PlannedFault#pick()}. */
    static final String FOLLOWER = "follower";
    /** One of the members, by {@link PlannedFault#pick()}. */
    static final String EACH = "each";

    private static final String FOLLOWERS = "followers";
    private static final String ALL = "all";

    /** Allowed victims, besides member ids. */
    public static final List<String> VICTIMS = List.of("leader", FOLLOWER, FOLLOWERS, ALL, EACH);

    /**
     * Whether the fault may hit this many members at once. Not if it wipes a majority: that loses acknowledged messages in any
     * system. Nor if it is of one pair.
     */
    public boolean isAllowed()
    {
        return Fault.WIPE != spec.fault() && Fault.PARTITION_PAIR != spec.fault() ||
            !ALL.equals(victim) && !FOLLOWERS.equals(victim);
    }

    /**
     * The members that the fault hits.
     *
     * @param cluster in which all members are in one term.
     * @return empty if no member matches.
     */
    List<ClusterMember> victims(final LabCluster cluster)
    {
        final Optional<ClusterMember> leader = cluster.leader();
        final List<ClusterMember> followers = cluster.members().stream()
            .filter((member) -> leader.isPresent() && member.memberId() != leader.get().memberId()).toList();
        return switch (victim)
        {
            case "leader" -> leader.stream().toList();
            case FOLLOWER -> picked(followers);
            case FOLLOWERS -> followers;
            case ALL -> cluster.members();
            case EACH -> picked(cluster.members());
            default -> cluster.members().stream()
                .filter((member) -> victim.equals(String.valueOf(member.memberId()))).toList();
        };
    }

    private List<ClusterMember> picked(final List<ClusterMember> members)
    {
        return members.isEmpty() ? members : List.of(members.get(pick % members.size()));
    }
}
