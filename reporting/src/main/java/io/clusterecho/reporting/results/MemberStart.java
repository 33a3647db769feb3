package io.clusterecho.reporting.results;

/** A start of all members of a cluster, by a unique id and its time in ISO 8601. Runs of one start share its chance. */
public record MemberStart(String id, String time)
{
}
