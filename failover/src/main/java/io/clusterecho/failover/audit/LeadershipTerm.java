package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A leadership term, from its first entry in the log.
 *
 * @param position       log position in bytes at which it begins.
 * @param timestamp      in the cluster's time unit.
 */
public record LeadershipTerm(
    @JsonProperty("term") long termId, @JsonProperty("leader") int leaderMemberId, long position, long timestamp)
{
}
