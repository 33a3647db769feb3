package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.testing.GoldenFile;

import org.junit.jupiter.api.Test;

/** Text and JSON of an audit report. */
class AuditTextTest
{
    private static final AuditReport.Member KILLED =
        new AuditReport.Member(0, "a", true, true, 128, 4096, 1234, 2, 1024, 3, 1, 5);
    private static final AuditReport.Member CLOSED = new AuditReport.Member(1, "b", true, false, 0, 4096, 1234, 0, 0, 0, 0, 0);
    private static final AuditReport.Member WIPED = new AuditReport.Member(2, "c", false, false, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final AuditReport.Journal JOURNAL = new AuditReport.Journal(
        2, false, 3, 1000, 7, 900, 890, 0, 0, 10, 6, 5, 40, 0, 35, 25);
    private static final AuditReport.Journal NO_JOURNAL = new AuditReport.Journal(
        0, true, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    @Test
    void shouldShowAllFindings()
    {
        final AuditReport report = new AuditReport(
            List.of(KILLED, CLOSED, WIPED), log(2), JOURNAL,
            List.of(
                new AuditReport.Finding(FindingKind.LOST, null, 64L, "one is lost"),
                new AuditReport.Finding(FindingKind.LOST, null, null, "another is lost"),
                new AuditReport.Finding(FindingKind.HOLE, 1, 0L, "a hole")),
            new EnumMap<>(Map.of(FindingKind.LOST, 1002L, FindingKind.HOLE, 1L)), List.of("be aware"));

        assertThat(AuditText.text(report).lines()).containsExactly(
            "NOT CLEAN: 1,003 findings",
            "  lost               one is lost",
            "  lost               another is lost",
            "  hole               a hole",
            "  lost               and 1,000 more",
            "",
            "member 0: positions 128 to 4,096 (running or killed), 1,234 entries, 2 checksum errors, uncommitted tail of 3 " +
            "entries in 1,024 bytes, 1 snapshots, 5 state digests",
            "member 1: positions 0 to 4,096, 1,234 entries, 0 checksum errors, no uncommitted tail, 0 snapshots, 0 state digests",
            "member 2: no log",
            "committed on 2 members up to position 3,072: 23 entries, 20 of them messages",
            "  applied 11, duplicates ignored 12, too early 13, gaps 14, rejected 15, truncated by an election 16",
            "  1 clients, checksum over all of them 00000000000000ff",
            "journals: 2 (incomplete), 3 clients, 1,000 messages sent, 7 resends",
            "  acknowledged 900 = on a majority 890 + lost 10; answered as repeated 6, applied twice 5",
            "  unanswered 100 = on a majority 40 + only on a minority 35 + in no log 25",
            "  sent but not on a majority: 70",
            "note: be aware");
    }

    @Test
    void shouldShowACleanAudit()
    {
        final AuditReport report = clean(20, NO_JOURNAL);

        assertThat(AuditText.text(report)).endsWith("\n").doesNotContain("more", "note").contains("no journal was given");
        assertThat(AuditText.text(report).lines()).first().isEqualTo("CLEAN");
        final AuditReport.Journal whole = new AuditReport.Journal(1, true, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(AuditText.text(clean(1, whole))).contains("journals: 1, 0 clients").doesNotContain("no journal");
    }

    @Test
    void shouldCountWhatWasPurgedApart() throws IOException
    {
        final AuditReport.Journal purged = new AuditReport.Journal(1, true, 1, 100, 0, 90, 40, 30, 20, 0, 0, 0, 0, 10, 0, 0);
        assertThat(AuditText.text(clean(1, purged))).contains(
            "acknowledged 90 = on a majority 40 + purged and proven by the checksum of a snapshot 30 + " +
            "purged and only counted by it 20 + lost 0",
            "unanswered 10 = on a majority 0 + unknown, before a purged log begins 10 + ");
        assertJson(
            new ObjectMapper().readTree(Documents.text(purged)),
            "{'journals':1,'whole':true,'clients':1,'sent':100,'resent':0,'acknowledged':90,'acknowledgedInMajority':40," +
            "'acknowledgedInSnapshot':30,'acknowledgedPurged':20,'acknowledgedLost':0,'repeatedReplies':0,'appliedTwice':0," +
            "'unansweredInLog':0,'unansweredPurged':10,'unansweredInTail':0,'unansweredLost':0,'lost':0}");
    }

    @Test
    void shouldShowTheSameInJson() throws IOException
    {
        final AuditReport report = new AuditReport(
            List.of(KILLED, WIPED), log(1), JOURNAL,
            List.of(
                new AuditReport.Finding(FindingKind.LOST, null, 0L, "one is lost"),
                new AuditReport.Finding(FindingKind.HOLE, 0, null, "a hole")),
            new EnumMap<>(Map.of(FindingKind.LOST, 12L, FindingKind.HOLE, 1L)), List.of("be aware"));

        final String text = Documents.text(report);
        GoldenFile.check(getClass(), "audit.json", text);
        final JsonNode json = new ObjectMapper().readTree(text);

        assertThat(text).endsWith("}\n");
        assertThat(json.path("format").asText()).isEqualTo("cluster-echo-audit/1");
        assertThat(json.path("clean").asBoolean(true)).isFalse();
        assertJson(json.path("findings").get(0), "{'kind':'lost','member':null,'position':0,'text':'one is lost'}");
        assertJson(json.path("findings").get(1), "{'kind':'hole','member':0,'position':null,'text':'a hole'}");
        assertJson(json.path("findingCounts"), "{'hole':1,'lost':12}");
        assertJson(json.path("notes"), "['be aware']");
        assertJson(
            json.path("journal"),
            "{'journals':2,'whole':false,'clients':3,'sent':1000,'resent':7,'acknowledged':900," +
            "'acknowledgedInMajority':890,'acknowledgedLost':10,'repeatedReplies':6,'appliedTwice':5," +
            "'unansweredInLog':40,'unansweredInTail':35,'unansweredLost':25,'lost':70}");
        assertJson(
            json.path("log"),
            "{'committedPosition':3072,'majority':2,'entries':{'sessionMessages':20,'newTerms':3},'applied':11," +
            "'repeated':12,'tooEarly':13,'gaps':14,'refused':15,'cutMessages':16,'checksum':'00000000000000ff'," +
            "'terms':[{'term':0,'leader':0,'position':0,'timestamp':9}]," +
            "'clients':[{'client':'-42','applied':8,'lastSequence':7,'checksum':'ffffffffffffffff'}]}");
        assertJson(
            json.path("members"),
            "[{'member':0,'folder':'a','hasLog':true,'open':true,'startPosition':128,'endPosition':4096,'entries':1234," +
            "'checksumErrors':2,'tailLength':1024,'tailEntries':3,'snapshots':1,'states':5}," +
            "{'member':2,'folder':'c','hasLog':false,'open':false,'startPosition':0,'endPosition':0,'entries':0," +
            "'checksumErrors':0,'tailLength':0,'tailEntries':0,'snapshots':0,'states':0}]");
    }

    private static void assertJson(final JsonNode node, final String expected) throws JsonProcessingException
    {
        assertThat(node).isEqualTo(new ObjectMapper().readTree(expected.replace('\'', '"')));
    }

    private static AuditReport clean(final int termCount, final AuditReport.Journal journal)
    {
        return new AuditReport(List.of(CLOSED), log(termCount), journal, List.of(), Map.of(), List.of());
    }

    private static AuditReport.Log log(final int termCount)
    {
        final Map<EntryKind, Long> counts = new EnumMap<>(Map.of(EntryKind.SESSION_MESSAGE, 20L, EntryKind.NEW_TERM, 3L));
        return new AuditReport.Log(
            3072, 2, counts, 11, 12, 13, 14, 15, 16, "00000000000000ff",
            LongStream.range(0, termCount).mapToObj((id) -> new AuditReport.Log.Term(id, (int)id % 3, 100 * id, 9)).toList(),
            List.of(new AuditReport.Log.Client(-42, 8, 7, "ffffffffffffffff")), false);
    }
}
