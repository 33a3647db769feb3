package io.clusterecho.client.audit;

/**
 * A leadership term as its first entry in the log tells.
 *
 * @param termId         of it.
 * @param leaderMemberId of its leader.
 * @param position       in the log in bytes at which it begins.
 * @param timestamp      in the cluster's time unit.
 */
public record LeadershipTerm(long termId, int leaderMemberId, long position, long timestamp)
{
}
