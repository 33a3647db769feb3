package io.clusterecho.failover.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.clusterecho.reporting.results.DocumentKind;

/** An audit report as JSON: {@code audit.json} of a failover test, and the output of {@code audit --json}. */
public record AuditDocument(
    String format, boolean clean, List<Found> findings, Map<String, Long> findingCounts, List<String> notes,
    JournalAudit journal, Log log, List<MemberAudit> members)
{
    /** A finding. {@code member} and {@code position} are null if it has none. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Found(String kind, Integer member, Long position, String text)
    {
        static Found of(final AuditFinding finding)
        {
            return new Found(
                finding.kind().label(), finding.memberId() < 0 ? null : finding.memberId(),
                finding.position() < 0 ? null : finding.position(), finding.text());
        }
    }

    /** The log that a majority of the members agrees on. */
    public record Log(
        long committedPosition, int majority, Map<String, Long> entries, long applied, long repeated, long tooEarly,
        long gaps, long refused, long cutMessages, String checksum, List<LeadershipTerm> terms, List<Client> clients)
    {
        static Log of(final LogAudit log)
        {
            final Map<String, Long> entries = new LinkedHashMap<>();
            log.entryCounts().forEach((kind, count) -> entries.put(kind.label(), count));
            return new Log(
                log.committedPosition(), log.majority(), entries, log.applied(), log.repeated(), log.tooEarly(), log.gaps(),
                log.refused(), log.cutMessages(), hex(log.checksum()), log.terms(),
                log.clients().stream().map(Client::of).toList());
        }
    }

    /** A client. Its id is a string, because a reader that parses numbers as doubles would change it. */
    public record Client(String client, long applied, long lastSequence, String checksum)
    {
        static Client of(final ClientAudit client)
        {
            return new Client(
                Long.toString(client.clientId()), client.appliedCount(), client.lastSequence(), hex(client.checksum()));
        }
    }

    public static AuditDocument of(final AuditReport report)
    {
        final Map<String, Long> counts = new LinkedHashMap<>();
        report.findingCounts().forEach((kind, count) -> counts.put(kind.label(), count));
        return new AuditDocument(
            DocumentKind.AUDIT.format(), report.isClean(), report.findings().stream().map(Found::of).toList(), counts,
            report.notes(), report.journal(), Log.of(report.log()), report.members());
    }

    private static String hex(final long value)
    {
        return String.format("%016x", value);
    }
}
