package io.clusterecho.failover.audit;

/**
 * One thing that the audit found wrong, and where, in one sentence.
 *
 * @param memberId {@link #ALL_MEMBERS} if all or a majority of them agree on the entry.
 * @param position in the log at which the offending entry begins, in bytes, or {@link #NO_POSITION}.
 */
public record AuditFinding(FindingKind kind, int memberId, long position, String text)
{
    /** Id of the member in findings that are not about one member. */
    public static final int ALL_MEMBERS = -1;
    public static final long NO_POSITION = -1;
}
