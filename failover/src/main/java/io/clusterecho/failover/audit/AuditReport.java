package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;

/**
 * The outcome of an audit.
 *
 * @param members       in the order in which they were given.
 * @param log           that a majority holds.
 * @param journal       what became of the messages that the journals know of; all zero without a journal.
 * @param findings      the first ones of each kind and member.
 * @param findingCounts of all, by kind.
 * @param notes         what a reader should know although it is not wrong.
 */
public record AuditReport(
    List<MemberAudit> members,
    LogAudit log,
    JournalAudit journal,
    List<AuditFinding> findings,
    Map<FindingKind, Long> findingCounts,
    List<String> notes)
{
    /**
     * Whether nothing is wrong.
     *
     * @return true if there is no finding.
     */
    public boolean isClean()
    {
        return findingCounts.isEmpty();
    }

    /**
     * All findings, those that are only counted included.
     */
    public long findingCount()
    {
        return findingCounts.values().stream().mapToLong(Long::longValue).sum();
    }
}
