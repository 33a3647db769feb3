package io.clusterecho.failover.lab;

import java.util.Optional;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.MemberCounters;

/** Who led in which term at one moment; both ids are -1 if nobody did. */
record LeaderInTerm(int memberId, long termId)
{
    static LeaderInTerm of(final Optional<ClusterMember> leader)
    {
        return new LeaderInTerm(
            leader.map(ClusterMember::memberId).orElse(-1),
            leader.flatMap(ClusterMember::counters).map(MemberCounters::leadershipTermId).orElse(-1L));
    }

    /** The change, in words; empty if the same member leads in the same term. */
    Optional<String> changeSince(final LeaderInTerm before)
    {
        return equals(before) ? Optional.empty() : Optional.of(before + ", then " + this);
    }

    @Override
    public String toString()
    {
        return memberId < 0 ? "no leader" : "member " + memberId + " in term " + termId;
    }
}
