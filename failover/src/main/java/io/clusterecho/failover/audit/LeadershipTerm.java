package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A leadership term, from its first entry in the log; its timestamp is in the cluster's time unit. */
public record LeadershipTerm(
    @JsonProperty("term") long termId, @JsonProperty("leader") int leaderMemberId, long position, long timestamp)
{
}
