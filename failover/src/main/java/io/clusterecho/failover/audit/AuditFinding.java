package io.clusterecho.failover.audit;

/**
 * Something wrong, and where.
 *
 * @param kind     of it.
 * @param memberId of the member that it is about, {@link #ALL_MEMBERS} when all or a majority of them agree on it.
 * @param position in the log in bytes at which the offending entry begins, {@link #NO_POSITION} when it has none.
 * @param text     in a sentence, with member and position.
 */
public record AuditFinding(FindingKind kind, int memberId, long position, String text)
{
    /** Not about one member. */
    public static final int ALL_MEMBERS = -1;
    /** Without a place in the log. */
    public static final long NO_POSITION = -1;
}
