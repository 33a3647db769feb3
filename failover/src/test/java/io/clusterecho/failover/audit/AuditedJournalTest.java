package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.clusterecho.client.record.Journal;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;
import io.clusterecho.settings.InvalidSettingException;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Journals of clients that are not in the recorded log. */
class AuditedJournalTest
{
    private static final long PLAIN = RecordedCluster.PLAIN_CLIENT;

    private static Path recorded;

    @TempDir
    private Path folder;

    @BeforeAll
    static void record() throws IOException
    {
        recorded = RecordedCluster.recorded();
    }

    @Test
    void shouldDistinguishRepliesFromSends() throws IOException
    {
        final Path journal = folder.resolve("repeated");
        try (Journal writer = new Journal(journal, 0))
        {
            writer.onSent(5, 0, 0);
            writer.onSent(5, 0, 0);
            writer.onSent(5, 1, 0);
            writer.onReply(5, 0, 1, EchoResponseDecoder.TEMPLATE_ID, 0);
            writer.onReply(5, 0, 1, RepeatedEchoResponseDecoder.TEMPLATE_ID, 0);
            writer.onReply(5, 0, 1, RepeatedEchoResponseDecoder.TEMPLATE_ID, 0);
        }

        final AuditReport.Journal audit = Auditor.audit(RecordedCluster.members("running", folder), List.of(journal)).journal();

        assertThat(audit.clientCount()).isEqualTo(1);
        assertThat(audit.sent()).isEqualTo(2);
        assertThat(audit.resent()).isEqualTo(1);
        assertThat(audit.acknowledged()).isEqualTo(1);
        assertThat(audit.repeatedReplies()).isEqualTo(2);
        assertThat(audit.appliedTwice()).isZero();
        assertThat(audit.acknowledgedLost()).isEqualTo(1);
        assertThat(audit.lost()).isEqualTo(2);
    }

    @Test
    void shouldFindTwoRepliesWithDifferentChecks() throws IOException
    {
        final Path journal = folder.resolve("two-faced");
        try (Journal writer = new Journal(journal, 0))
        {
            writer.onSent(5, 0, 0);
            writer.onReply(5, 0, 1, EchoResponseDecoder.TEMPLATE_ID, 0);
            writer.onReply(5, 0, 2, RepeatedEchoResponseDecoder.TEMPLATE_ID, 0);
        }

        final AuditReport report = Auditor.audit(RecordedCluster.members("running", folder), List.of(journal));

        assertThat(report.findings()).first().isEqualTo(new AuditReport.Finding(
            FindingKind.ALTERED, AuditReport.Finding.ALL_MEMBERS, AuditReport.Finding.NO_POSITION,
            "two replies to message 0 of client 5 have different checks"));
    }

    /** Replies of the echo have a check; those of another service are known by their kind alone. */
    @ParameterizedTest
    @CsvSource({
        EchoResponseDecoder.TEMPLATE_ID + ", 0, 0, false", EchoResponseDecoder.TEMPLATE_ID + ", 0, 3, true",
        EchoResponseDecoder.TEMPLATE_ID + ", 3, 0, true", RepeatedEchoResponseDecoder.TEMPLATE_ID + ", 3, 3, true",
        "0, 3, 3, false" })
    void shouldRefuseAJournalOfAnotherServiceWithoutItsManifest(
        final int templateId, final int firstCheck, final int secondCheck, final boolean isOfEcho)
    {
        final Path journal = folder.resolve("unknown");
        try (Journal writer = new Journal(journal, 0))
        {
            writer.onSent(5, 0, 0);
            writer.onSent(5, 1, 0);
            writer.onReply(5, 0, firstCheck, templateId, 0);
            writer.onReply(5, 1, secondCheck, templateId, 0);
        }

        final ThrowingCallable reading = () -> AuditedClients.read(List.of(journal), null, new AuditFindings());
        if (isOfEcho)
        {
            assertThatCode(reading).doesNotThrowAnyException();
        }
        else
        {
            assertThatThrownBy(reading).isInstanceOf(InvalidSettingException.class).hasMessageContaining("a journal of the echo");
        }
    }

    @Test
    void shouldReportAJournalWithoutAClosingRecord() throws IOException
    {
        final byte[] whole = Files.readAllBytes(recorded.resolve("journal"));
        final Path journal = Files.write(folder.resolve("killed"), Arrays.copyOf(whole, whole.length - 24));

        final AuditReport report = Auditor.audit(RecordedCluster.members("running", folder), List.of(journal));

        assertThat(report.isClean()).isTrue();
        assertThat(report.journal().isComplete()).isFalse();
        assertThat(report.notes()).singleElement().asString().contains("has no closing record");
    }

    @Test
    void shouldAcceptAJournalWithoutMessages() throws IOException
    {
        final Path journal = folder.resolve("empty");
        new Journal(journal, 0).close();

        final AuditReport report = Auditor.audit(RecordedCluster.members("running", folder), List.of(journal));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal()).isEqualTo(new AuditReport.Journal(1, true, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void shouldNotCountAMessageOnOneMemberAsCommitted() throws IOException
    {
        final List<Path> members = RecordedCluster.members("running", folder);
        for (int i = 1; i < 3; i++)
        {
            LogSurgeon.operate(
                members.get(i), (log) -> log.entries().subList(log.entries().size() - 10, log.entries().size()).clear());
        }
        final Path journal = folder.resolve("unanswered");
        try (Journal writer = new Journal(journal, 0))
        {
            for (int i = 0; i < RecordedCluster.COUNT + 3; i++)
            {
                writer.onSent(PLAIN, i, 0);
            }
        }

        final AuditReport.Journal audit = Auditor.audit(members, List.of(journal)).journal();

        assertThat(audit.unansweredLost()).isEqualTo(3);
        assertThat(audit.unansweredInTail()).isEqualTo(4);
        assertThat(audit.unansweredInLog()).isEqualTo(RecordedCluster.COUNT - 4);
        assertThat(audit.lost()).isEqualTo(7);
    }
}
