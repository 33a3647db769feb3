package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A leadership term as its first entry in the log tells.
 *
 * @param termId         of it.
 * @param leaderMemberId of its leader.
 * @param position       in the log in bytes at which it begins.
 * @param timestamp      in the cluster's time unit.
 */
public record LeadershipTerm(
    @JsonProperty("term") long termId, @JsonProperty("leader") int leaderMemberId, long position, long timestamp)
{
}
