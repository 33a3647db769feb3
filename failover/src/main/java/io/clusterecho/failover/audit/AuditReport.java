package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;

/**
 * The result of an audit.
 *
 * @param members       in the order of the given folders.
 * @param log           the log that a majority of the members agrees on.
 * @param journal       the fate of the messages in the journals; all zero without a journal.
 * @param findings      the first findings of each kind and member.
 * @param notes         remarks that are not findings.
 */
public record AuditReport(
    List<MemberAudit> members,
    LogAudit log,
    JournalAudit journal,
    List<AuditFinding> findings,
    Map<FindingKind, Long> findingCounts,
    List<String> notes)
{
    /** Whether there are no findings. */
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
