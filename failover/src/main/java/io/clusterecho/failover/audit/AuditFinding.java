package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One thing that the audit found wrong, and where, in one sentence.
 *
 * @param memberId {@link #ALL_MEMBERS} if all or a majority of them agree on the entry.
 * @param position in the log at which the offending entry begins, in bytes, or {@link #NO_POSITION}.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record AuditFinding(FindingKind kind, @JsonProperty("member") Integer memberId, Long position, String text)
{
    /** Instead of a member's id, in findings that are not about one member. */
    static final Integer ALL_MEMBERS = null;
    static final Long NO_POSITION = null;
}
