package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;

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

    /** A finding in JSON. {@code member} and {@code position} are null if it has none. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Stored(FindingKind kind, Integer member, Long position, String text)
    {
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static AuditFinding of(final Stored stored)
    {
        return new AuditFinding(
            stored.kind, null == stored.member ? ALL_MEMBERS : stored.member,
            null == stored.position ? NO_POSITION : stored.position, stored.text);
    }

    @JsonValue
    Stored stored()
    {
        return new Stored(kind, memberId < 0 ? null : memberId, position < 0 ? null : position, text);
    }
}
