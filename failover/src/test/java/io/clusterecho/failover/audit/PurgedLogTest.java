package io.clusterecho.failover.audit;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.schema.codecs.ClientStateDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;

import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of which an operator has purged the begin. */
class PurgedLogTest
{
    private static Path recorded;

    @TempDir
    private Path folder;

    @BeforeAll
    static void record() throws IOException
    {
        recorded = RecordedCluster.recorded();
    }

    @Test
    void shouldTakeTrimmedStateFromTheSnapshot() throws IOException
    {
        final AuditReport report = Auditor.audit(members("trimmed"), List.of(journal()));

        assertThat(report.findings()).isEmpty();
        assertThat(report.notes()).singleElement().asString().contains("the log was trimmed");
        assertThat(report.members()).allMatch((member) -> 128 * 1024 == member.startPosition());
        assertThat(report.journal().acknowledgedInMajority() + report.journal().acknowledgedInSnapshot())
            .isEqualTo(2 * RecordedCluster.COUNT);
        assertThat(report.journal().acknowledgedInSnapshot()).isPositive();
        assertThat(report.journal().acknowledgedPurged()).isZero();
        assertThat(report.log().clients()).isEqualTo(Auditor.audit(members("running"), List.of()).log().clients());
    }

    @Test
    void shouldAllowThatOneMemberIsTrimmedAndOthersAreNot() throws IOException
    {
        final List<Path> members = members("running");
        RecordedCluster.delete(members.get(1));
        RecordedCluster.copy(recorded.resolve("trimmed"), members.get(1));

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(report.findings()).isEmpty();
        assertThat(report.notes()).isEmpty();
        assertThat(report.log().applied()).isEqualTo(2 * RecordedCluster.COUNT);
    }

    @Test
    void shouldAllowThatOneMemberIsBehindWhatTheOthersPurged() throws IOException
    {
        final List<Path> members = behind();

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        final long end = report.members().get(2).endPosition();
        assertThat(end).isPositive().isLessThan(128 * 1024);
        assertThat(report.findings()).isEmpty();
        assertThat(report.notes()).hasSize(2).anySatisfy(
            (note) -> assertThat(note).startsWith("no log has the positions from " + end + " to " + 128 * 1024));
        assertThat(report.journal().lost()).isZero();
        assertThat(report.journal().acknowledgedInMajority() + report.journal().acknowledgedInSnapshot())
            .isEqualTo(2 * RecordedCluster.COUNT);
        assertThat(report.journal().acknowledgedInSnapshot()).isPositive();
        assertThat(report.log().clients()).isEqualTo(Auditor.audit(members("running"), List.of()).log().clients());
    }

    @Test
    void shouldCountAsLostWhatAnEarlierLogAppliedAndTheSnapshotOfTheOthersHasNot() throws IOException
    {
        final List<Path> members = behind();
        final long kept = 10;
        for (final Path member : members)
        {
            LogSurgeon.operateOnSnapshot(member, (snapshot) ->
            {
                final MutableDirectBuffer state = snapshot.entryOf(ClientStateDecoder.TEMPLATE_ID).payload();
                state.putLong(
                    MessageHeaderDecoder.ENCODED_LENGTH + ClientStateDecoder.lastSequenceEncodingOffset(), kept, LITTLE_ENDIAN);
            });
        }

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(report.findingCounts()).containsKey(FindingKind.LOST);
        assertThat(report.journal().acknowledgedLost()).as("all later ones of that client, which sends ordered requests")
            .isEqualTo(RecordedCluster.COUNT - 1 - kept);
    }

    @Test
    void shouldCountAsLostWhatAnEarlierLogAppliedOfAClientThatTheSnapshotOfTheOthersLacks() throws IOException
    {
        final List<Path> members = behind();
        for (final Path member : members)
        {
            LogSurgeon.operateOnSnapshot(
                member, (snapshot) -> snapshot.entries().remove(snapshot.entryOf(ClientStateDecoder.TEMPLATE_ID)));
        }

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(report.journal().acknowledgedLost()).as("all of that client, which sends ordered requests")
            .isEqualTo(RecordedCluster.COUNT);
    }

    @Test
    void shouldNotAcceptPurgedLogsWithoutTheirSnapshotAfterAnEarlierLog() throws IOException
    {
        final List<Path> members = behind();
        final AuditReport report = auditWithoutSnapshots(members);
        assertThat(report.journal().acknowledgedLost()).isPositive();
    }

    @Test
    void shouldNotAcceptATrimmedLogWithoutItsSnapshot() throws IOException
    {
        final List<Path> members = members("trimmed");
        final AuditReport report = auditWithoutSnapshots(members);
        assertThat(report.findingCounts()).containsEntry(FindingKind.CUT_SHORT, 3L)
            .containsEntry(FindingKind.LOST, 2L * RecordedCluster.COUNT);
        assertThat(report.findings()).anySatisfy(
            (finding) -> assertThat(finding.text()).contains("is not in the log of a majority"));
        assertThat(report.notes()).hasSize(3).allMatch((note) -> note.contains("contains no state of the echo service"));
        assertThat(report.log().applied()).isZero();
        assertThat(report.journal().acknowledgedInMajority()).isZero();
    }

    private static AuditReport auditWithoutSnapshots(final List<Path> members) throws IOException
    {
        for (final Path member : members)
        {
            Files.delete(MemberLog.open(member, 0).snapshots().get(0).stream().segmentFile(0));
        }

        final AuditReport report = Auditor.audit(members, List.of(journal()));

        assertThat(report.findings()).anySatisfy((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.UNREADABLE);
            assertThat(finding.position()).isEqualTo(128 * 1024);
            assertThat(finding.text()).contains("no snapshot contains the state before it");
        });
        return report;
    }

    /** Two members with a purged log, and one whose log ends before theirs begin. */
    private List<Path> behind() throws IOException
    {
        final List<Path> members = members("trimmed");
        RecordedCluster.delete(members.get(2));
        RecordedCluster.copy(recorded.resolve("running"), members.get(2));
        LogSurgeon.operate(members.get(2), (log) -> log.entries().subList(100, log.entries().size()).clear());
        return members;
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
