package io.clusterecho.failover.audit;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.record.Journal;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.schema.RunningChecksum;
import io.clusterecho.schema.codecs.ClientStateDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs as members leave them, which are correct although they differ. */
class AuditorTest
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
    void shouldFindNothingWrongWithCompleteLogsOfKilledMembers() throws IOException
    {
        final AuditReport report = Auditor.audit(members("running"), List.of(journal()));

        assertThat(report.findings()).isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(report.notes()).isEmpty();
        assertThat(report.members()).allMatch((member) -> member.isOpen() && 0 == member.tailLength());
        assertThat(report.log().terms()).hasSize(2);
        assertThat(report.log().applied()).isEqualTo(2 * RecordedCluster.COUNT);
        assertThat(report.log().entryCounts().get(EntryKind.SESSION_OPEN)).isEqualTo(2);
        assertThat(report.journal().isComplete()).isTrue();
        assertThat(report.journal().sent()).isEqualTo(2 * RecordedCluster.COUNT);
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(2 * RecordedCluster.COUNT);
        assertThat(report.journal().lost()).isZero();
        assertThat(report.log().committedPosition()).as("the log spans several terms and segments").isGreaterThan(256 * 1024);
    }

    @Test
    void shouldFindNothingWrongWithCompleteLogsOfClosedMembers() throws IOException
    {
        final AuditReport report = Auditor.audit(members("closed"), List.of());

        assertThat(report.findings()).isEmpty();
        assertThat(report.log().applied()).isEqualTo(2 * RecordedCluster.FIRST_COUNT);
        assertThat(report.members()).noneMatch(AuditReport.Member::isOpen);
        assertThat(report.members()).allMatch(
            (member) -> member.endPosition() == report.log().committedPosition() &&
            member.entryCount() == report.log().entryCount());
    }

    @Test
    void shouldComputeTheStateThatTheServiceMustHave() throws IOException
    {
        final AuditReport report = Auditor.audit(members("running"), List.of());
        final LogSurgeon surgeon = new LogSurgeon(folder.resolve("member-0"));
        long checksum = 0;
        for (int i = 1; i < 20; i++)
        {
            final LogSurgeon.Entry entry = surgeon.entries().get(surgeon.indexOf(PLAIN, i));
            checksum = RunningChecksum.next(checksum, i, io.clusterecho.schema.EchoMessage.check(entry.message(), 0));
        }
        LogSurgeon.operate(folder.resolve("member-0"), (log) -> log.entries().removeIf(
            (entry) -> !entry.isMessageOf(PLAIN, 0) && log.entries().indexOf(entry) > log.indexOf(PLAIN, 19) ||
            entry.isMessageOf(PLAIN, 0)));
        final AuditReport shorter = Auditor.audit(List.of(folder.resolve("member-0")), List.of());

        assertThat(report.log().clients()).extracting(AuditReport.Log.Client::clientId)
            .containsExactly(RecordedCluster.ORDERED_CLIENT, PLAIN);
        assertThat(report.log().clients()).allMatch(
            (client) -> client.appliedCount() == RecordedCluster.COUNT && client.lastSequence() == RecordedCluster.COUNT - 1);
        assertThat(shorter.log().clients()).contains(new AuditReport.Log.Client(PLAIN, 19, 19, String.format("%016x", checksum)));
    }

    @Test
    void shouldCompareSnapshotsWithTheLog() throws IOException
    {
        final List<Path> members = members("running");
        assertThat(Auditor.audit(members, List.of()).members()).allMatch((member) -> 1 == member.snapshotCount());
        final LogSurgeon log = LogSurgeon.operateOnSnapshot(members.get(2), (snapshot) ->
        {
            final LogSurgeon.Entry entry = snapshot.entryOf(ClientStateDecoder.TEMPLATE_ID);
            final MutableDirectBuffer state = entry.payload();
            final int offset = MessageHeaderDecoder.ENCODED_LENGTH + ClientStateDecoder.lastSequenceEncodingOffset();
            state.putLong(offset, state.getLong(offset, LITTLE_ENDIAN) - 1, LITTLE_ENDIAN);
        });

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(log.entries()).isNotEmpty();
        assertThat(report.findings()).singleElement().extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId)
            .containsExactly(FindingKind.STATE_DIFFERS, 2);
        assertThat(report.findings().get(0).text())
            .contains("snapshot of member 2", "a different state of client " + RecordedCluster.ORDERED_CLIENT);
    }

    @Test
    void shouldCompareStateDigestsWithTheLog() throws IOException
    {
        final List<Path> members = members("running");
        final AuditReport.Log log = Auditor.audit(members, List.of()).log();
        for (final Path member : members)
        {
            writeStates(member, "state-earlier.log", "0 0 0000000000000000");
            writeStates(member, "state.log", state(log.committedPosition(), log.applied(), checksum(log)));
        }

        final AuditReport right = Auditor.audit(members, List.of(journal()));
        assertThat(right.findings()).isEmpty();
        assertThat(right.notes()).isEmpty();
        assertThat(right.members()).allMatch((member) -> 2 == member.stateCount());

        writeStates(
            members.get(1), "state.log", state(log.committedPosition(), log.applied(), checksum(log) + 1),
            state(log.committedPosition(), log.applied() - 1, checksum(log)));
        final AuditReport wrong = Auditor.audit(members, List.of(journal()));
        assertThat(wrong.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.STATE_DIFFERS);
            assertThat(finding.memberId()).isEqualTo(1);
            assertThat(finding.position()).isEqualTo(log.committedPosition());
            assertThat(finding.text()).contains("member 1", "last correct at position 0");
        });
        assertThat(wrong.findingCounts()).containsEntry(FindingKind.STATE_DIFFERS, 2L);
    }

    @Test
    void shouldNameAMemberThatAppliedUncommittedEntries() throws IOException
    {
        final List<Path> members = members("running");
        final AuditReport.Log log = Auditor.audit(members, List.of()).log();
        writeStates(members.get(2), "state.log", state(log.committedPosition() + 32, log.applied() + 1, 7));

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.STATE_DIFFERS);
            assertThat(finding.memberId()).isEqualTo(2);
            assertThat(finding.text()).contains("the log is committed only up to position " + log.committedPosition());
        });
    }

    @Test
    void shouldReportALineThatIsNotAStateDigest() throws IOException
    {
        final List<Path> members = members("running");
        writeStates(members.get(0), "state.log", "0 0 0000000000000000", "128 1 00");

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.isClean()).isTrue();
        assertThat(report.notes()).singleElement().asString().contains("1 lines of", "member 0");
        assertThat(report.members().get(0).stateCount()).isEqualTo(1);
    }

    @Test
    void shouldAllowAFollowerThatIsBehind() throws IOException
    {
        final List<Path> members = members("running");
        LogSurgeon.operate(members.get(2), (log) -> truncate(log, 100));

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(report.findings()).isEmpty();
        assertThat(report.members().get(2).endPosition()).isLessThan(report.log().committedPosition());
    }

    @Test
    void shouldAllowAMemberThatWasWiped() throws IOException
    {
        final List<Path> members = members("running");
        RecordedCluster.delete(members.get(1).resolve("archive"));
        RecordedCluster.delete(members.get(1).resolve("cluster"));

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(report.findings()).isEmpty();
        assertThat(report.notes()).singleElement().asString().contains("member 1 has no log");
        assertThat(report.log().majority()).isEqualTo(2);
    }

    @Test
    void shouldAllowATailThatWasNeverCommittedAndMeasureIt() throws IOException
    {
        final List<Path> members = members("running");
        LogSurgeon.operate(members.get(1), (log) -> truncate(log, 10));
        LogSurgeon.operate(members.get(2), (log) -> truncate(log, 10));

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).isEmpty();
        assertThat(report.members().get(0).tailEntryCount()).isEqualTo(10);
        assertThat(report.members().get(0).tailLength())
            .isEqualTo(report.members().get(0).endPosition() - report.log().committedPosition());
        assertThat(report.members().get(1).tailLength()).isZero();
    }

    @Test
    void shouldNotCountATailAsProofOfWhatWasAcknowledged() throws IOException
    {
        final List<Path> members = members("running");
        LogSurgeon.operate(members.get(1), (log) -> truncate(log, 10));
        LogSurgeon.operate(members.get(2), (log) -> truncate(log, 10));

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        // The tenth entry is the end of the session.
        assertThat(report.journal().acknowledgedLost()).isEqualTo(9);
        assertThat(report.findings()).hasSize(9).allMatch(
            (finding) -> FindingKind.LOST == finding.kind() && finding.position() == report.log().committedPosition() &&
            finding.text().contains("only in that of a minority"));
    }

    @Test
    void shouldAllowATailThatALaterLeaderReplaced() throws IOException
    {
        final List<Path> members = members("running");
        for (int i = 1; i < 3; i++)
        {
            LogSurgeon.operate(members.get(i), (log) -> replaceTail(log, 7, 1));
        }

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).isEmpty();
        assertThat(report.log().terms()).last().extracting(AuditReport.Log.Term::termId, AuditReport.Log.Term::leaderMemberId)
            .containsExactly(7L, 1);
        assertThat(report.members().get(0).tailEntryCount()).isEqualTo(10);
        assertThat(report.members().get(1).tailLength()).isZero();
    }

    @Test
    void shouldAllowALeaderThatNobodyFollowed() throws IOException
    {
        final List<Path> members = members("running");
        LogSurgeon.operate(members.get(1), (log) -> replaceTail(log, 7, 1));
        LogSurgeon.operate(members.get(2), (log) -> truncate(log, 10));

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).isEmpty();
        assertThat(report.members()).extracting(AuditReport.Member::tailEntryCount).containsExactly(10L, 11L, 0L);
    }

    @Test
    void shouldAllowAMessageTruncatedByAChangeOfLeader() throws IOException
    {
        final List<Path> members = members("running");
        for (final Path member : members)
        {
            LogSurgeon.operate(member, (log) ->
            {
                final int index = log.indexOf(PLAIN, 340);
                log.entries().subList(index + 1, log.entries().size()).clear();
                log.truncateFragment(index, 2);
                log.beginTerm(9, 2);
            });
        }

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).isEmpty();
        assertThat(report.log().cutMessages()).isEqualTo(1);
        assertThat(report.log().terms()).last().extracting(AuditReport.Log.Term::termId).isEqualTo(9L);
    }

    @Test
    void shouldAllowALastFrameThatWasPartlyWrittenWhenItsMemberWasKilled() throws IOException
    {
        final List<Path> members = members("running");
        final int[] last = new int[1];
        final LogSurgeon surgeon = LogSurgeon.operate(members.get(1), (log) ->
        {
            last[0] = log.indexOf(PLAIN, 350);
            while (isWithinPage(log, last[0]))
            {
                last[0]++;
            }
            log.entries().subList(last[0] + 1, log.entries().size()).clear();
        });
        final long boundary = (surgeon.endPosition() - 1) / 4096 * 4096;
        surgeon.wipe(boundary, (int)(surgeon.endPosition() - boundary));

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(report.findings()).isEmpty();
        assertThat(report.notes()).singleElement().asString().contains("partly written");
        assertThat(report.members().get(1).endPosition()).isEqualTo(surgeon.entries().get(last[0]).position());
    }

    @Test
    void shouldReportHowManySentMessagesAreInNoLog() throws IOException
    {
        final Path journal = folder.resolve("at-most-once");
        try (Journal writer = new Journal(journal, 0))
        {
            for (int i = 0; i < RecordedCluster.COUNT + 25; i++)
            {
                writer.onSent(PLAIN, i, 0);
            }
        }

        final AuditReport report = Auditor.audit(members("running"), List.of(journal));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().acknowledged()).isZero();
        assertThat(report.journal().unansweredInLog()).isEqualTo(RecordedCluster.COUNT);
        assertThat(report.journal().unansweredLost()).isEqualTo(25);
        assertThat(report.journal().lost()).isEqualTo(25);
    }

    @Test
    void shouldReportAnAcknowledgedMessageThatNoMemberHasAsLost() throws IOException
    {
        final Path journal = folder.resolve("boastful");
        try (Journal writer = new Journal(journal, 0))
        {
            writer.onSent(PLAIN, RecordedCluster.COUNT, 0);
            writer.onReply(PLAIN, RecordedCluster.COUNT, 1, EchoResponseDecoder.TEMPLATE_ID, 0);
            writer.onSent(99, 0, 0);
            writer.onReply(99, 0, 1, EchoResponseDecoder.TEMPLATE_ID, 0);
        }

        final AuditReport report = Auditor.audit(members("running"), List.of(journal()));
        final AuditReport boastful = Auditor.audit(members("running"), List.of(journal(), journal));

        assertThat(report.isClean()).isTrue();
        assertThat(boastful.findings()).hasSize(2).allMatch(
            (finding) -> FindingKind.LOST == finding.kind() && finding.position() == report.log().committedPosition());
    }

    @Test
    void shouldCatchAMessageThatTheServiceAppliedTwice() throws IOException
    {
        final Path journal = folder.resolve("twice");
        try (Journal writer = new Journal(journal, 0))
        {
            for (int i = 0; i < 3; i++)
            {
                writer.onSent(5, i, 0);
                writer.onReply(5, i, i, EchoResponseDecoder.TEMPLATE_ID, 0);
            }
            writer.onReply(5, 1, 1, EchoResponseDecoder.TEMPLATE_ID, 0);
        }

        final AuditReport report = Auditor.audit(members("running"), List.of(journal));

        assertThat(report.journal().appliedTwice()).isEqualTo(1);
        assertThat(report.findings()).anyMatch(
            (finding) -> FindingKind.APPLIED_TWICE == finding.kind() && finding.text().contains("message 1 of client 5"));
    }

    @Test
    void shouldReportAnIncompleteJournal() throws IOException
    {
        final Path journal = folder.resolve("overrun");
        try (Journal writer = new Journal(journal, 0, 1024, Disk.FILE_SYSTEM))
        {
            while (0 == writer.droppedCount())
            {
                writer.onSent(5, 0, 0);
            }
        }

        final AuditReport report = Auditor.audit(members("running"), List.of(journal(), journal));

        assertThat(report.isClean()).isFalse();
        assertThat(report.journal().isComplete()).isFalse();
        assertThat(report.findings()).singleElement().matches(
            (finding) -> FindingKind.JOURNAL_INCOMPLETE == finding.kind() && finding.text().contains("the client dropped"));
    }

    @Test
    void shouldFindASnapshotBeyondTheCommittedLog() throws IOException
    {
        final List<Path> members = members("running");
        final long snapshotPosition = MemberLog.open(members.get(0), 0).snapshots().get(0).logPosition();
        for (final Path member : members)
        {
            LogSurgeon.operate(member, (log) -> truncate(log, 4 * RecordedCluster.SECOND_COUNT));
        }

        final AuditReport report = Auditor.audit(members, List.of());

        final long committed = report.log().committedPosition();
        assertThat(committed).isLessThan(snapshotPosition);
        assertThat(report.findings()).extracting(AuditReport.Finding::memberId).containsExactly(0, 1, 2);
        assertThat(report.findings()).allSatisfy((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.STATE_DIFFERS);
            assertThat(finding.position()).isEqualTo(snapshotPosition);
            assertThat(finding.text()).contains("the log is committed only up to position " + committed);
        });
    }

    @Test
    void shouldRejectInvalidMemberFoldersAndJournals() throws IOException
    {
        final List<Path> members = members("running");
        final Path other = Files.writeString(folder.resolve("other"), "no journal, but long enough for a header of one");

        assertThatThrownBy(() -> Auditor.audit(List.of(), List.of())).isInstanceOf(InvalidSettingException.class);
        assertThatThrownBy(() -> Auditor.audit(List.of(folder.resolve("none")), List.of()))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> Auditor.audit(List.of(members.get(0), members.get(0)), List.of()))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("member 0");
        assertThatThrownBy(() -> Auditor.audit(members, List.of(other)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("not a journal");
        assertThatThrownBy(() -> Auditor.audit(members, List.of(folder.resolve("absent"))))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("cannot be read");
    }

    private static void truncate(final LogSurgeon log, final int count)
    {
        final int size = log.entries().size();
        log.entries().subList(size - count, size).clear();
    }

    /** Replace the last ten entries by a term of another leader. */
    private static void replaceTail(final LogSurgeon log, final long termId, final int leaderMemberId)
    {
        final int size = log.entries().size();
        final List<LogSurgeon.Entry> last = List.copyOf(log.entries().subList(size - 10, size));
        truncate(log, 10);
        log.beginTerm(termId, leaderMemberId);
        last.forEach((entry) -> LogSurgeon.termId(entry, termId));
        log.entries().addAll(last);
    }

    private static void writeStates(final Path member, final String name, final String... lines) throws IOException
    {
        Files.write(member.resolve("cluster").resolve(name), List.of(lines));
    }

    private static long checksum(final AuditReport.Log log)
    {
        return Long.parseUnsignedLong(log.checksum(), 16);
    }

    private static String state(final long position, final long applied, final long checksum)
    {
        return String.format("%d %d %016x", position, applied, checksum);
    }

    private static boolean isWithinPage(final LogSurgeon log, final int index)
    {
        final long start = log.entries().get(index).position();
        final long end = log.entries().get(index + 1).position();
        return end - start > 1000 || start / 4096 == (end - 1) / 4096 || start % 4096 > 4096 - 64;
    }

    private List<Path> members(final String state) throws IOException
    {
        return RecordedCluster.members(state, folder);
    }

    private static Path journal()
    {
        return recorded.resolve("journal");
    }
}
