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
import java.util.Map;
import java.util.function.Consumer;

import io.clusterecho.client.record.Journal;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestEncoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseEncoder;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs with the requests of a service of the user: only their bytes are known. */
class OwnServiceTest
{
    private static final Path RESULT = Path.of("../results/reference-20261123-failover/fastest-kills");
    private static final long FIRST_CLIENT = 7000;
    private static final int SESSIONS = 2;
    private static final int COUNT = SESSIONS * RecordedCluster.COUNT;
    private static final int START_OFFSET = 16;
    /** A request of the second session, of one frame. */
    private static final int REQUEST = 2 * 150 + 1;

    @TempDir
    private Path folder;
    private List<Path> members;

    /** The requests in the recorded log: those of its two clients in turn. */
    public static final class RecordedRequests implements MessageCodec
    {
        private final UnsafeBuffer request = new UnsafeBuffer(new byte[RecordedCluster.LONG_LENGTH]);

        @Override
        public void init(final long seed, final Map<String, String> settings)
        {
            assertThat(seed).isEqualTo(7);
            assertThat(settings).isEqualTo(Map.of("names", "a,b", "scale", "2"));
        }

        @Override
        public int maxRequestLength()
        {
            return RecordedCluster.LONG_LENGTH;
        }

        @Override
        public int encode(final long number, final MutableDirectBuffer buffer, final int offset)
        {
            final long sequence = number / SESSIONS;
            final int length = 0 == sequence % 20 ? RecordedCluster.LONG_LENGTH : RecordedCluster.LENGTH;
            for (int i = EchoMessage.MIN_LENGTH; i < length; i++)
            {
                request.putByte(i, (byte)(sequence + i | 1));
            }
            final boolean isFirst = 0 == number % SESSIONS;
            EchoMessage.encode(
                request, 0, length, isFirst ? EchoRequestEncoder.TEMPLATE_ID : OrderedEchoRequestEncoder.TEMPLATE_ID,
                isFirst ? RecordedCluster.PLAIN_CLIENT : RecordedCluster.ORDERED_CLIENT, sequence, sequence * 1000L,
                new PayloadCheck());
            buffer.putBytes(offset, request, 0, length);
            return length;
        }

        @Override
        public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
        {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void copyLogs() throws IOException
    {
        members = RecordedCluster.members("running", folder);
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
            "\", \"messages-set\" : \"names=a,b,scale=2\""));

        final AuditReport report = Auditor.audit(members, List.of(journal));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT);

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
        try (Journal journal = new Journal(file))
        {
            for (int sequence = 0; sequence < 10; sequence++)
            {
                journal.onSent(FIRST_CLIENT, sequence);
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
        try (Journal journal = new Journal(file))
        {
            for (int number = 0; number <= other; number++)
            {
                journal.onSent(FIRST_CLIENT + number % SESSIONS, number / SESSIONS);
                if (REQUEST - 1 != number && REQUEST != number && other != number)
                {
                    journal.onReply(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, 0, 0, 1);
                }
            }
        }

        final AuditReport report = audit(begun(file, 0));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().unansweredInLog()).isEqualTo(1);
        assertThat(report.journal().unansweredLost()).isEqualTo(1);
        assertThat(report.journal().unansweredInTail()).as("only member 0 has it").isEqualTo(1);
    }

    @Test
    void shouldCountMessagesOfOtherClients() throws IOException
    {
        final Path file = folder.resolve("half");
        try (Journal journal = new Journal(file))
        {
            for (int sequence = 0; sequence < RecordedCluster.COUNT; sequence++)
            {
                journal.onSent(FIRST_CLIENT, sequence);
                journal.onReply(FIRST_CLIENT, sequence, 0, 0, 1);
            }
        }

        final AuditReport report = audit(begun(file, 0));

        assertThat(report.findings()).isEmpty();
        assertThat(report.log().applied()).isEqualTo(RecordedCluster.COUNT);
        assertThat(report.log().refused()).isEqualTo(RecordedCluster.COUNT);
    }

    @Test
    void shouldNotTakeAnEarlierLoadForThisOne() throws IOException
    {
        final AuditReport report = audit(begun(journal(), System.currentTimeMillis() + 60_000));

        assertThat(report.findingCounts()).containsEntry(FindingKind.LOST, (long)COUNT);
        assertThat(report.log().refused()).isEqualTo(COUNT);
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
        try (Journal journal = new Journal(other))
        {
            journal.onSent(FIRST_CLIENT + SESSIONS, 0);
        }
        final Path first = journal();

        assertThatThrownBy(() ->
            Auditor.audit(members, List.of(first, other), new RequestIndex(new RecordedRequests(), SESSIONS)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("more than one run");
    }

    @Test
    void shouldRejectMoreRequestsThanTheHeapHasRoomFor()
    {
        final AuditedClients clients = AuditedClients.read(List.of(), null, new AuditFindings());
        clients.attemptCount = 1L << 40;
        assertThatThrownBy(() -> new RequestIndex(new RecordedRequests(), SESSIONS).add(clients))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("-Xmx");
    }

    private AuditReport audit(final Path journal)
    {
        return Auditor.audit(members, List.of(journal), new RequestIndex(new RecordedRequests(), SESSIONS));
    }

    /** A journal of all requests in the log, with three kinds of replies to each. */
    private Path journal() throws IOException
    {
        final Path file = folder.resolve("journal-own");
        try (Journal journal = new Journal(file))
        {
            for (int number = 0; number < COUNT; number++)
            {
                journal.onSent(FIRST_CLIENT + number % SESSIONS, number / SESSIONS);
                for (int kind = 3; kind < 6; kind++)
                {
                    journal.onReply(FIRST_CLIENT + number % SESSIONS, number / SESSIONS, 0, kind, 1);
                }
            }
        }
        return begun(file, 0);
    }

    /** The log was recorded before: the journal begins at another time, in ms since the epoch. */
    private static Path begun(final Path journal, final long startMs) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(journal);
        ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).putLong(START_OFFSET, startMs);
        return Files.write(journal, bytes);
    }

    private static int indexOf(final LogSurgeon log, final int number)
    {
        return log.indexOf(
            0 == number % SESSIONS ? RecordedCluster.PLAIN_CLIENT : RecordedCluster.ORDERED_CLIENT, number / SESSIONS);
    }

    private static void operate(final List<Path> members, final Consumer<LogSurgeon> change) throws IOException
    {
        for (final Path member : members)
        {
            LogSurgeon.operate(member, change);
        }
    }
}
