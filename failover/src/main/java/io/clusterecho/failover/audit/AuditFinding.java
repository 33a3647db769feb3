package io.clusterecho.failover.audit;

/**
 * One thing that the audit found wrong, and where.
 *
 * @param kind     what is wrong.
 * @param memberId the member concerned, {@link #ALL_MEMBERS} if all or a majority of them agree on the entry.
 * @param position log position in bytes at which the offending entry begins, {@link #NO_POSITION} if there is none.
 * @param text     one sentence with member and position.
 */
public record AuditFinding(FindingKind kind, int memberId, long position, String text)
{
    /** Id of the member in findings that are not about one member. */
    public static final int ALL_MEMBERS = -1;
    /** No position in the log. */
    public static final long NO_POSITION = -1;
}
