package io.clusterecho.reporting.results;

/**
 * A start of all members of a cluster. Runs of one start share what chance decided in it.
 *
 * @param id   of the start, unique.
 * @param time of the start, ISO 8601, UTC.
 */
public record MemberStart(String id, String time)
{
}
