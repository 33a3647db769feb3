package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import io.clusterecho.reporting.results.DocumentKind;

/**
 * The result of an audit: the first findings of each kind and member, and remarks that are not findings. In JSON,
 * {@code audit.json} of a failover test and the output of {@code audit --json}.
 *
 * @param members in the order of the given folders.
 * @param journal the fate of the messages in the journals; all zero without a journal.
 */
@JsonPropertyOrder({ "format", "clean", "findings", "findingCounts", "notes", "journal", "log", "members" })
public record AuditReport(
    List<MemberAudit> members,
    LogAudit log,
    JournalAudit journal,
    List<AuditFinding> findings,
    Map<FindingKind, Long> findingCounts,
    List<String> notes)
{
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    String format()
    {
        return DocumentKind.AUDIT.format();
    }

    @JsonProperty(value = "clean", access = JsonProperty.Access.READ_ONLY)
    public boolean isClean()
    {
        return findingCounts.isEmpty();
    }

    /** All findings, including those that were only counted. */
    public long findingCount()
    {
        return findingCounts.values().stream().mapToLong(Long::longValue).sum();
    }
}
