package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;

/**
 * The result of an audit: the first findings of each kind and member, and remarks that are not findings.
 *
 * @param members in the order of the given folders.
 * @param journal the fate of the messages in the journals; all zero without a journal.
 */
public record AuditReport(
    List<MemberAudit> members,
    LogAudit log,
    JournalAudit journal,
    List<AuditFinding> findings,
    Map<FindingKind, Long> findingCounts,
    List<String> notes)
{
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
