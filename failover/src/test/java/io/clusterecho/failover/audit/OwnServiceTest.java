package io.clusterecho.failover.audit;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.clusterecho.client.record.Journal;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseEncoder;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs with the requests of a service of the user: only their bytes are known. */
class OwnServiceTest
{
    private static final Path RESULT = Path.of("../results/reference-20261123-failover/fastest-kills");
    static final long FIRST_CLIENT = 7000;
    private static final int SESSIONS = RecordedRequests.SESSIONS;
    static final int COUNT = SESSIONS * RecordedCluster.COUNT;
    private static final int START_OFFSET = 16;
    private static final int TIME_OFFSET =
        MessageHeaderEncoder.ENCODED_LENGTH + SessionMessageHeaderDecoder.timestampEncodingOffset();
    private static final int SESSION_OFFSET =
        MessageHeaderEncoder.ENCODED_LENGTH + SessionMessageHeaderDecoder.clusterSessionIdEncodingOffset();
    /** A session of another load, in the recorded log. */
    static final long OTHER_SESSION = 99;
    /** A request of the second session, of one frame. */
    static final int REQUEST = 2 * 150 + 1;

    @TempDir
    private Path folder;
    private List<Path> members;
    /** Ids of the sessions before and after the restart of the recorded member. */
    private long[] sessions;

    @BeforeEach
    void copyLogs() throws IOException
    {
        members = RecordedCluster.members("running", folder);
        sessions = sessions();
        assertThat(sessions[0]).isPositive().isLessThan(sessions[1]);
    }

    @Test
    void shouldFindEachRequestInTheLog() throws IOException
    {
        final AuditReport report = audit(journal());

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().sent()).isEqualTo(COUNT);
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT);
        assertThat(report.journal().repeatedReplies()).as("a kind of reply is not a template of the echo").isZero();
        assertThat(report.log().applied()).isEqualTo(COUNT);
        assertThat(report.log().refused()).isZero();
        assertThat(report.log().clients()).extracting(AuditReport.Log.Client::clientId)
            .containsExactly(FIRST_CLIENT, FIRST_CLIENT + 1);
        assertThat(report.members()).allMatch((member) -> 0 == member.snapshotCount() && 0 == member.stateCount());
        assertThat(report.notes()).singleElement().asString().contains("not the echo", "state of the service");
    }

    @Test
    void shouldTakeTheMessagesFromTheResultFolderOfTheJournal() throws IOException
    {
        final Path journal = journal();
        final String ofEcho = Files.readString(RESULT.resolve("manifest.json"));
        final Path manifest = folder.resolve("manifest.json");
        Files.writeString(manifest, ofEcho.replace("\"connections\" : \"1\"", "\"connections\" : \"2\"").replace(
            "\"seed\" : \"1\"", "\"seed\" : \"7\", \"messages\" : \"" + RecordedRequests.class.getName() +
            "\", \"messages-set\" : \"names=a=1,b=2\\tscale=2\", \"class-path\" : \"classes\", " +
            "\"started-in\" : \"" + folder + "\""));
        Files.createDirectory(folder.resolve("classes"));

        final AuditReport report = Auditor.audit(members, List.of(journal));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT);
        assertThat(AuditText.text(report)).contains("; committed twice 0\n");

        final String ofOthers = Files.readString(manifest).replace("\"seed\"", "\"messages-digest\" : \"a1\", \"seed\"");
        Files.writeString(manifest, ofOthers);
        assertThatThrownBy(() -> RequestIndex.of(List.of(journal))).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("messages with the digest a1; these have ");

        Files.writeString(manifest, ofEcho);
        assertThat(RequestIndex.of(List.of(journal))).as("the messages of the echo").isNull();
        assertThat(RequestIndex.of(List.of(members.get(0).resolve("none")))).as("no result folder").isNull();
        assertThat(RequestIndex.of(List.of())).isNull();
    }

    @Test
    void shouldFindTheFileOfTheMessagesInTheFolderInWhichTheRunWasStarted() throws IOException
    {
        Files.writeString(folder.resolve("order.hex"), "0102030405060708\n");
        Files.writeString(
            folder.resolve("orders.properties"), "requests=order.hex\nrequest.number=0:int64-le\nreply.number=0:int64-le\n");
        final String ofEcho = Files.readString(RESULT.resolve("manifest.json"));
        Files.writeString(folder.resolve("manifest.json"), ofEcho.replace(
            "\"seed\" : \"1\"",
            "\"seed\" : \"7\", \"messages\" : \"orders.properties\", \"started-in\" : \"" + folder + "\""));

        assertThat(RequestIndex.of(List.of(folder.resolve("journal")))).isNotNull();
    }

    @Test
    void shouldRejectAJournalWithoutTheManifestOfItsRun() throws IOException
    {
        final Path journal = journal();

        assertThatThrownBy(() -> Auditor.audit(members, List.of(journal))).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--journal").hasMessageContaining(journal.toString())
            .hasMessageContaining("beside the manifest.json of its run");
    }

    @Test
    void shouldRejectAJournalWhoseKindsOfRepliesAreTheTemplatesOfTheEcho() throws IOException
    {
        final Path file = folder.resolve("journal-same");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            for (int sequence = 0; sequence < 10; sequence++)
            {
                journal.onSent(FIRST_CLIENT, sequence, sessionOf(sequence));
                journal.onReply(FIRST_CLIENT, sequence, 0, EchoResponseEncoder.TEMPLATE_ID, 1);
                journal.onReply(FIRST_CLIENT, sequence, 0, RepeatedEchoResponseEncoder.TEMPLATE_ID, 1);
            }
        }

        assertThatThrownBy(() -> Auditor.audit(members, List.of(file))).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("beside the manifest.json of its run");
    }

    @Test
    void shouldNameAnAcknowledgedRequestThatNoLogHas() throws IOException
    {
        operate(members, (log) -> log.entries().remove(indexOf(log, REQUEST)));

        final AuditReport report = audit(journal());

        assertThat(report.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.LOST);
            assertThat(finding.text()).contains("acknowledged message 150 of client " + (FIRST_CLIENT + 1));
        });
        assertThat(report.journal().acknowledgedLost()).isEqualTo(1);
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT - 1);
    }

    @Test
    void shouldNameARequestThatIsCommittedTwice() throws IOException
    {
        operate(members, (log) -> log.repeat(indexOf(log, REQUEST)));
        final LogSurgeon log = new LogSurgeon(members.get(0));

        final AuditReport report = audit(journal());

        assertThat(report.findings()).singleElement()
            .extracting(AuditReport.Finding::kind, AuditReport.Finding::position)
            .containsExactly(FindingKind.SURPLUS, log.entries().get(indexOf(log, REQUEST) + 1).position());
        assertThat(report.journal().appliedTwice()).isEqualTo(1);
        assertThat(report.log().applied()).isEqualTo(COUNT);
    }

    @Test
    void shouldNameAMemberWithAnotherOrder() throws IOException
    {
        final LogSurgeon changed = LogSurgeon.operate(members.get(1), (log) ->
            Collections.swap(log.entries(), indexOf(log, REQUEST), indexOf(log, REQUEST + 1)));

        final AuditReport report = audit(journal());

        assertThat(report.findings()).singleElement()
            .extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(FindingKind.DIVERGED, 1, changed.entries().get(indexOf(changed, REQUEST + 1)).position());
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT);
    }

    @Test
    void shouldNameAMemberWithADamagedFrame() throws IOException
    {
        final LogSurgeon log = new LogSurgeon(members.get(2));
        final long position = log.entries().get(indexOf(log, REQUEST)).position();
        log.flip(position + 100);

        final AuditReport report = audit(journal());

        assertThat(report.findings()).singleElement()
            .extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(FindingKind.BAD_CHECKSUM, 2, position);
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT);
    }

    @Test
    void shouldNotMissWhatWasNotAcknowledged() throws IOException
    {
        final int other = REQUEST + 20;
        operate(members.subList(1, 3), (log) -> log.entries().subList(indexOf(log, other), log.entries().size()).clear());
        operate(members, (log) -> log.entries().remove(indexOf(log, REQUEST)));
        final Path file = folder.resolve("short");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            for (int number = 0; number <= other; number++)
            {
                journal.onSent(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, sessionOf(number / SESSIONS));
                if (REQUEST - 1 != number && REQUEST != number && other != number)
                {
                    journal.onReply(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, 0, 0, 1);
                }
            }
        }

        final AuditReport report = audit(begun(file));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().unansweredInLog()).isEqualTo(1);
        assertThat(report.journal().unansweredLost()).isEqualTo(1);
        assertThat(report.journal().unansweredInTail()).as("only member 0 has it").isEqualTo(1);
    }

    @Test
    void shouldCountMessagesOfOtherClients() throws IOException
    {
        final Path file = folder.resolve("half");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            for (int sequence = 0; sequence < RecordedCluster.COUNT; sequence++)
            {
                journal.onSent(FIRST_CLIENT, sequence, sessionOf(sequence));
                journal.onReply(FIRST_CLIENT, sequence, 0, 0, 1);
            }
        }

        final AuditReport report = audit(begun(file));

        assertThat(report.findings()).isEmpty();
        assertThat(report.log().applied()).isEqualTo(RecordedCluster.COUNT);
        assertThat(report.log().refused()).isEqualTo(RecordedCluster.COUNT);
    }

    @Test
    void shouldNotTakeTheRequestOfAnotherLoadForOneThatWasLost() throws IOException
    {
        operate(members, (log) -> session(log, indexOf(log, REQUEST), OTHER_SESSION));

        final AuditReport report = audit(journal());

        assertThat(report.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.LOST);
            assertThat(finding.text()).contains("acknowledged message 150 of client " + (FIRST_CLIENT + 1));
        });
        assertThat(report.log().refused()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeTheRequestOfAnotherLoadForACopy() throws IOException
    {
        operate(members, (log) ->
        {
            log.repeat(indexOf(log, REQUEST));
            session(log, indexOf(log, REQUEST) + 1, OTHER_SESSION);
            log.repeat(indexOf(log, REQUEST));
            // As a service puts a message into the log; the low half is that of a session of the load.
            session(log, indexOf(log, REQUEST) + 1, Long.MIN_VALUE + sessions[0]);
        });

        final AuditReport report = audit(journal());

        assertThat(report.findings()).isEmpty();
        assertThat(report.log().refused()).isEqualTo(2);
        assertThat(report.journal().appliedTwice()).isZero();
    }

    @Test
    void shouldNotFindARequestOfAnotherLoadInATail() throws IOException
    {
        final int other = REQUEST + 20;
        operate(members, (log) -> session(log, indexOf(log, other), OTHER_SESSION));
        operate(members.subList(1, 3), (log) -> log.entries().subList(indexOf(log, other), log.entries().size()).clear());
        final Path file = folder.resolve("short");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            journal.onSent(FIRST_CLIENT + other % SESSIONS, other / SESSIONS, sessions[0]);
        }

        final AuditReport report = audit(begun(file));

        assertThat(report.journal().unansweredInTail()).isZero();
        assertThat(report.journal().unansweredLost()).isEqualTo(1);
    }

    @Test
    void shouldNotShiftSessionsIfTheFirstNeverSent() throws IOException
    {
        final Path file = folder.resolve("second");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            for (int sequence = 0; sequence < RecordedCluster.COUNT; sequence++)
            {
                journal.onSent(FIRST_CLIENT + 1, sequence, sessionOf(sequence));
                journal.onReply(FIRST_CLIENT + 1, sequence, 0, 0, 1);
            }
        }

        final AuditReport report = audit(begun(file));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(RecordedCluster.COUNT);
    }

    @Test
    void shouldMissWhatIsNotInALogThatWasTrimmedBeforeTheLoad() throws IOException
    {
        members = RecordedCluster.members("trimmed", folder);
        final int first = SESSIONS * RecordedCluster.FIRST_COUNT;
        operate(members, (log) -> log.entries().remove(indexOf(log, first)));

        final AuditReport report = audit(journalOfTheSecondSession());

        assertThat(report.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.LOST);
            assertThat(finding.text()).contains(
                "acknowledged message " + RecordedCluster.FIRST_COUNT + " of client " + FIRST_CLIENT);
        });
        assertThat(report.journal().acknowledgedPurged()).as("the log has the opening of the session").isZero();

        operate(members, (log) ->
        {
            for (int number = first + 1; number < COUNT; number++)
            {
                log.entries().remove(indexOf(log, number));
            }
        });
        assertThat(audit(journalOfTheSecondSession()).findingCounts())
            .containsEntry(FindingKind.LOST, (long)SESSIONS * RecordedCluster.SECOND_COUNT);
    }

    @Test
    void shouldMissWhatIsNotInTheLogBeforeAGap() throws IOException
    {
        final Path behind = members.get(2);
        RecordedCluster.delete(members.get(0));
        RecordedCluster.delete(members.get(1));
        RecordedCluster.copy(RecordedCluster.recorded().resolve("trimmed"), members.get(0));
        RecordedCluster.copy(RecordedCluster.recorded().resolve("trimmed"), members.get(1));
        LogSurgeon.operate(behind, (log) ->
        {
            log.entries().subList(100, log.entries().size()).clear();
            log.entries().remove(indexOf(log, 40));
        });

        final AuditReport report = audit(journal());

        assertThat(report.notes()).anyMatch((note) -> note.startsWith("no log has the positions from "));
        assertThat(report.findings()).singleElement().satisfies((finding) ->
            assertThat(finding.text()).contains("acknowledged message 20 of client " + FIRST_CLIENT));
        assertThat(report.journal().acknowledgedPurged()).as("in the gap").isPositive();
        assertThat(report.journal().acknowledgedInMajority() + report.journal().acknowledgedPurged()).isEqualTo(COUNT - 1);
    }

    @Test
    void shouldNotBeCleanIfNoneOfTheRequestsIsInWhatWasNotPurged() throws IOException
    {
        members = RecordedCluster.members("trimmed", folder);
        final Path file = folder.resolve("early");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            journal.onSent(FIRST_CLIENT, 0, sessions[0]);
            journal.onReply(FIRST_CLIENT, 0, 0, 0, 1);
        }

        final AuditReport report = audit(begun(file));

        assertThat(report.journal().acknowledgedPurged()).isEqualTo(1);
        assertThat(report.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.UNREADABLE);
            assertThat(finding.text()).contains("have none of the requests of client 7000 that were acknowledged");
        });
    }

    @Test
    void shouldOnlyCompareTheLogsOfAServiceOfWhichNothingIsKnown() throws IOException
    {
        members = RecordedCluster.members("trimmed", folder);
        for (final Path member : members)
        {
            Files.delete(MemberLog.open(member, 0).snapshots().get(0).stream().segmentFile(0));
        }

        final AuditReport report = Auditor.audit(members, List.of(), RequestIndex.UNKNOWN);

        assertThat(report.findings()).as("no snapshot of the echo is missed").isEmpty();
        assertThat(report.log().applied()).isZero();
        assertThat(report.log().isOwnService()).isTrue();
        assertThat(report.notes()).anyMatch((note) -> note.contains("not the echo"));
    }

    @Test
    void shouldNotReportWhatWasPurged() throws IOException
    {
        members = RecordedCluster.members("trimmed", folder);
        operate(members, (log) -> log.entries().remove(indexOf(log, COUNT - 3)));

        final AuditReport report = audit(journal());

        assertThat(report.findings()).singleElement().extracting(AuditReport.Finding::kind).isEqualTo(FindingKind.LOST);
        assertThat(report.journal().acknowledgedLost()).as("the log has later ones of its session").isEqualTo(1);
        assertThat(report.journal().acknowledgedPurged()).isPositive();
        assertThat(report.journal().acknowledgedInMajority() + report.journal().acknowledgedPurged()).isEqualTo(COUNT - 1);
        assertThat(report.notes()).anyMatch((note) -> note.contains("was purged"));
        assertThat(AuditText.text(report))
            .contains(" + not known, purged " + report.journal().acknowledgedPurged() + " + lost 1;")
            .doesNotContain("only counted");
    }

    @Test
    void shouldRejectRequestsWithTheSameBytes() throws IOException
    {
        final Path journal = journal();
        final MessageCodec same = new MessageCodec()
        {
            @Override
            public int maxRequestLength()
            {
                return Integer.BYTES;
            }

            @Override
            public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
            {
                buffer.putInt(offset, (int)(14 == request ? 8 : request));
                return Integer.BYTES;
            }

            @Override
            public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
            {
            }
        };

        assertThatThrownBy(() -> Auditor.audit(members, List.of(journal), new RequestIndex(same, SESSIONS)))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--messages").hasMessageContaining("requests 8 and 14");
    }

    @Test
    void shouldRejectTheJournalsOfTwoRuns() throws IOException
    {
        final Path other = folder.resolve("other");
        try (Journal journal = new Journal(other, FIRST_CLIENT + SESSIONS))
        {
            journal.onSent(FIRST_CLIENT + SESSIONS, 0, sessions[0]);
        }
        final Path first = journal();

        assertThatThrownBy(() ->
            Auditor.audit(members, List.of(first, other), new RequestIndex(new RecordedRequests(), SESSIONS)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("not of one run");
    }

    @Test
    void shouldRejectMoreRequestsThanTheHeapHasRoomFor()
    {
        final AuditedClients clients = AuditedClients.read(List.of(), null, new AuditFindings());
        clients.attemptCount = 1L << 40;
        assertThatThrownBy(() -> new RequestIndex(new RecordedRequests(), SESSIONS).add(clients, FIRST_CLIENT))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("give this command more, as in java -Xmx131073g -jar load-client.jar");
    }

    /** Set the session of an entry. */
    static void session(final LogSurgeon log, final int index, final long sessionId)
    {
        log.entries().get(index).payload().putLong(SESSION_OFFSET, sessionId, LITTLE_ENDIAN);
    }

    private long sessionOf(final long sequence)
    {
        return sessions[sequence < RecordedCluster.FIRST_COUNT ? 0 : 1];
    }

    /** A journal of a load that began after the restart. */
    private Path journalOfTheSecondSession() throws IOException
    {
        final Path file = folder.resolve("journal-" + System.nanoTime());
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            for (int number = SESSIONS * RecordedCluster.FIRST_COUNT; number < COUNT; number++)
            {
                journal.onSent(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, sessions[1]);
                journal.onReply(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, 0, 0, 1);
            }
        }
        return begun(file);
    }

    private AuditReport audit(final Path journal)
    {
        return Auditor.audit(members, List.of(journal), new RequestIndex(new RecordedRequests(), SESSIONS));
    }

    /** A journal of all requests in the log, with three kinds of replies to each. */
    private Path journal() throws IOException
    {
        final Path file = folder.resolve("journal-own");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            for (int number = 0; number < COUNT; number++)
            {
                journal.onSent(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, sessionOf(number / SESSIONS));
                for (int kind = 3; kind < 6; kind++)
                {
                    journal.onReply(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, 0, kind, 1);
                }
            }
        }
        return begun(file);
    }

    /** The log was recorded before: the journal begins with its first message, by the clock of its leader. */
    private Path begun(final Path journal) throws IOException
    {
        return begun(journal, timeMs(0));
    }

    static Path begun(final Path journal, final long startMs) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(journal);
        ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).putLong(START_OFFSET, startMs);
        return Files.write(journal, bytes);
    }

    /** When a message of the recorded log was appended, by the clock of its leader. */
    static long timeMs(final int number) throws IOException
    {
        return payload(RecordedCluster.recorded().resolve("running"), number).getLong(TIME_OFFSET, LITTLE_ENDIAN);
    }

    /** Ids of the sessions before and after the restart of the recorded member. */
    static long[] sessions() throws IOException
    {
        final Path running = RecordedCluster.recorded().resolve("running");
        return new long[]{
            payload(running, 0).getLong(SESSION_OFFSET, LITTLE_ENDIAN),
            payload(running, COUNT - 1).getLong(SESSION_OFFSET, LITTLE_ENDIAN) };
    }

    private static DirectBuffer payload(final Path member, final int number) throws IOException
    {
        final LogSurgeon log = new LogSurgeon(member);
        return log.entries().get(indexOf(log, number)).payload();
    }

    static int indexOf(final LogSurgeon log, final int number)
    {
        return log.indexOf(
            0 == number % SESSIONS ? RecordedCluster.PLAIN_CLIENT : RecordedCluster.ORDERED_CLIENT, number / SESSIONS);
    }

    static void operate(final List<Path> members, final Consumer<LogSurgeon> change) throws IOException
    {
        for (final Path member : members)
        {
            LogSurgeon.operate(member, change);
        }
    }
}
