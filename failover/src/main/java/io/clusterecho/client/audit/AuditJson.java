package io.clusterecho.client.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.results.DocumentKind;

/**
 * An audit's report for programs.
 */
public final class AuditJson
{
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private AuditJson()
    {
    }

    /**
     * Put a report into a JSON document.
     *
     * @param report to tell.
     * @return the document, indented, its last line ended.
     */
    public static String json(final AuditReport report)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        put(root, report);
        try
        {
            return MAPPER.writeValueAsString(root) + "\n";
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("a tree of plain values must be writable as JSON", ex);
        }
    }

    /**
     * Put a report into an object, for documents that hold more.
     *
     * @param root   to put fields into.
     * @param report to tell.
     */
    public static void put(final ObjectNode root, final AuditReport report)
    {
        root.put("format", DocumentKind.AUDIT.format());
        root.put("clean", report.isClean());
        final ArrayNode findings = root.putArray("findings");
        for (final Finding finding : report.findings())
        {
            final ObjectNode node = findings.addObject();
            node.put("kind", finding.kind().label());
            putUnlessNegative(node, "member", finding.memberId());
            putUnlessNegative(node, "position", finding.position());
            node.put("text", finding.text());
        }
        final ObjectNode counts = root.putObject("findingCounts");
        report.findingCounts().forEach((kind, count) -> counts.put(kind.label(), count));
        report.notes().forEach(root.putArray("notes")::add);

        putJournal(root.putObject("journal"), report.journal());
        putLog(root.putObject("log"), report.log());
        final ArrayNode members = root.putArray("members");
        report.members().forEach((member) -> putMember(members.addObject(), member));
    }

    private static void putJournal(final ObjectNode node, final JournalAudit journal)
    {
        node.put("journals", journal.journalCount());
        node.put("whole", journal.isWhole());
        node.put("clients", journal.clientCount());
        node.put("sent", journal.sent());
        node.put("resent", journal.resent());
        node.put("acknowledged", journal.acknowledged());
        node.put("acknowledgedInMajority", journal.acknowledgedInMajority());
        node.put("acknowledgedLost", journal.acknowledgedLost());
        node.put("repeatedReplies", journal.repeatedReplies());
        node.put("appliedTwice", journal.appliedTwice());
        node.put("unansweredInLog", journal.unansweredInLog());
        node.put("unansweredInTail", journal.unansweredInTail());
        node.put("unansweredLost", journal.unansweredLost());
        node.put("lost", journal.lost());
    }

    private static void putLog(final ObjectNode node, final LogAudit log)
    {
        node.put("committedPosition", log.committedPosition());
        node.put("majority", log.majority());
        final ObjectNode entries = node.putObject("entries");
        log.entryCounts().forEach((kind, count) -> entries.put(kind.label(), count));
        node.put("applied", log.applied());
        node.put("repeated", log.repeated());
        node.put("tooEarly", log.tooEarly());
        node.put("gaps", log.gaps());
        node.put("refused", log.refused());
        node.put("cutMessages", log.cutMessages());
        node.put("checksum", hex(log.checksum()));
        final ArrayNode terms = node.putArray("terms");
        for (final LeadershipTerm term : log.terms())
        {
            final ObjectNode termNode = terms.addObject();
            termNode.put("term", term.termId());
            termNode.put("leader", term.leaderMemberId());
            termNode.put("position", term.position());
            termNode.put("timestamp", term.timestamp());
        }
        final ArrayNode clients = node.putArray("clients");
        for (final ClientAudit client : log.clients())
        {
            final ObjectNode clientNode = clients.addObject();
            // As text: a reader that takes numbers for doubles would change it.
            clientNode.put("client", Long.toString(client.clientId()));
            clientNode.put("applied", client.appliedCount());
            clientNode.put("lastSequence", client.lastSequence());
            clientNode.put("checksum", hex(client.checksum()));
        }
    }

    private static void putMember(final ObjectNode node, final MemberAudit member)
    {
        node.put("member", member.memberId());
        node.put("folder", member.folder());
        node.put("hasLog", member.hasLog());
        node.put("open", member.isOpen());
        node.put("startPosition", member.startPosition());
        node.put("endPosition", member.endPosition());
        node.put("entries", member.entryCount());
        node.put("checksumErrors", member.badChecksumCount());
        node.put("tailLength", member.tailLength());
        node.put("tailEntries", member.tailEntryCount());
        node.put("snapshots", member.snapshotCount());
        node.put("states", member.stateCount());
    }

    private static void putUnlessNegative(final ObjectNode node, final String name, final long value)
    {
        if (value < 0)
        {
            node.putNull(name);
        }
        else
        {
            node.put(name, value);
        }
    }

    private static String hex(final long value)
    {
        return String.format("%016x", value);
    }
}
