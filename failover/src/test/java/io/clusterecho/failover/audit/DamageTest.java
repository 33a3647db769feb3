package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.clusterecho.node.member.Recording;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damages real logs: the audit must find each damage and name its member and position. */
class DamageTest
{
    private static final int SEQUENCE = 150;

    /** Kinds of damage, and where the first finding must be. */
    enum Damage
    {
        /** A payload byte on disk is changed. */
        FLIPPED
        {
            @Override
            long damage(final LogSurgeon log, final int index)
            {
                final long position = log.entries().get(index).position();
                log.flip(position + 100);
                return position;
            }
        },
        /** The same, with a matching frame checksum. */
        ALTERED
        {
            @Override
            long damage(final LogSurgeon log, final int index) throws IOException
            {
                final UnsafeBuffer message = log.entries().get(index).message();
                message.putByte(100, (byte)(message.getByte(100) ^ 1));
                log.write();
                return log.entries().get(index).position();
            }
        },
        /** The same, with a matching check of the message too. */
        FORGED
        {
            @Override
            long damage(final LogSurgeon log, final int index) throws IOException
            {
                final UnsafeBuffer message = log.entries().get(index).message();
                message.putByte(100, (byte)(message.getByte(100) ^ 1));
                EchoMessage.encode(
                    message, 0, message.capacity(), EchoMessage.templateId(message, 0), EchoMessage.clientId(message, 0),
                    SEQUENCE, EchoMessage.intendedSendTimeLow(message, 0), new PayloadCheck());
                log.write();
                return log.entries().get(index).position();
            }
        },
        /** The segment file ends within a frame. */
        CUT
        {
            @Override
            long damage(final LogSurgeon log, final int index)
            {
                final long position = log.entries().get(index).position();
                log.cut(position + 100);
                return position;
            }
        },
        /** A frame is overwritten with zeros. */
        WIPED
        {
            @Override
            long damage(final LogSurgeon log, final int index)
            {
                final long position = log.entries().get(index).position();
                log.wipe(position, (int)(log.entries().get(index + 1).position() - position));
                return position;
            }
        },
        /** An entry is removed, and later ones move up. */
        DROPPED
        {
            @Override
            long damage(final LogSurgeon log, final int index) throws IOException
            {
                final long position = log.entries().remove(index).position();
                log.write();
                return position;
            }
        },
        /** An entry is duplicated. */
        REPEATED
        {
            @Override
            long damage(final LogSurgeon log, final int index) throws IOException
            {
                log.repeat(index);
                log.write();
                return log.entries().get(index + 1).position();
            }
        },
        /** Two entries of a client are swapped. */
        SWAPPED
        {
            @Override
            long damage(final LogSurgeon log, final int index) throws IOException
            {
                Collections.swap(log.entries(), index, index + 2);
                log.write();
                return log.entries().get(index).position();
            }
        };

        /** @return the first position at which the log differs from the recorded one. */
        abstract long damage(LogSurgeon log, int index) throws IOException;
    }

    private static Path recorded;

    @TempDir
    private Path folder;
    private List<Path> members;

    @BeforeAll
    static void record() throws IOException
    {
        recorded = RecordedCluster.recorded();
    }

    @BeforeEach
    void copyMembers() throws IOException
    {
        members = RecordedCluster.members("running", folder);
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void shouldNameTheMemberAndThePositionOfDamageOnOneMember(final Damage damage) throws IOException
    {
        final long position = damage(damage, RecordedCluster.PLAIN_CLIENT, 1);

        final AuditReport report = audit();

        assertThat(report.findings()).first().extracting(AuditReport.Finding::memberId, AuditReport.Finding::position)
            .as(report.findings().toString()).containsExactly(1, position);
        assertThat(report.findings()).as("no findings on the others").allMatch((finding) -> 1 == finding.memberId());
        assertThat(report.findings().get(0).text()).contains("member 1", "position " + position);
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(2 * RecordedCluster.COUNT);
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void shouldFindDamageToAPlainMessageOnAllMembersThroughTheJournal(final Damage damage) throws IOException
    {
        final long position = damage(damage, RecordedCluster.PLAIN_CLIENT, 0, 1, 2);

        final AuditReport report = audit();

        assertThat(throughJournal(report)).as(report.findings().toString()).isNotEmpty();
        assertThat(nearest(throughJournal(report), position))
            .as(report.findings().toString()).isBetween(0L, distanceAllowed(damage));
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void shouldFindDamageToAnOrderedMessageOnAllMembersThroughTheJournal(final Damage damage) throws IOException
    {
        final long position = damage(damage, RecordedCluster.ORDERED_CLIENT, 0, 1, 2);

        final AuditReport report = audit();

        assertThat(throughJournal(report)).as(report.findings().toString()).isNotEmpty();
        assertThat(nearest(throughJournal(report), position))
            .as(report.findings().toString()).isBetween(0L, distanceAllowed(damage));
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void shouldFindDamageOnAMajorityThroughTheJournal(final Damage damage) throws IOException
    {
        final long position = damage(damage, RecordedCluster.PLAIN_CLIENT, 0, 2);

        final AuditReport report = audit();

        assertThat(throughJournal(report)).as(report.findings().toString()).isNotEmpty();
        assertThat(nearest(report.findings(), position))
            .as(report.findings().toString()).isZero();
    }

    @ParameterizedTest
    @EnumSource(value = Damage.class, names = { "FLIPPED", "CUT", "WIPED" })
    void shouldNotBlameAnIntactMemberForWhatAnotherLost(final Damage damage) throws IOException
    {
        final long position = damage(damage, RecordedCluster.PLAIN_CLIENT, 1);
        IoUtil.delete(members.get(2).resolve("archive").toFile(), false);
        IoUtil.delete(members.get(2).resolve("cluster").toFile(), false);

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).isNotEmpty().allMatch((finding) -> 1 == finding.memberId());
        assertThat(report.notes()).contains(
            "1 states of member 0 beyond position " + position + " were not checked: no majority has the log there, because " +
            "the log of member 1 is damaged");
    }

    @Test
    void shouldFindAnAlteredMessageEvenWithoutAJournal() throws IOException
    {
        final long position = damage(Damage.ALTERED, RecordedCluster.PLAIN_CLIENT, 0, 1, 2);

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).first().extracting(AuditReport.Finding::kind, AuditReport.Finding::position)
            .containsExactly(FindingKind.ALTERED, position);
        assertThat(report.findings().subList(1, 4)).as("snapshots differ from the state of the altered log")
            .allMatch((finding) -> FindingKind.STATE_DIFFERS == finding.kind());
    }

    @Test
    void shouldCatchEveryByteThatFlipsInAFrame() throws IOException
    {
        final LogSurgeon log = new LogSurgeon(members.get(1));
        final Random random = new Random(20_261_121);
        final List<String> missed = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            final int index = random.nextInt(log.entries().size() - 1);
            final long position = log.entries().get(index).position();
            // Headers are few of all bytes and matter more.
            final int offset = random.nextInt(i % 2 == 0 ? 32 : 96);
            log.flip(position + offset);
            final AuditReport report = audit();
            if (report.findings().stream().noneMatch((finding) -> 1 == finding.memberId() && position == finding.position()))
            {
                missed.add("byte " + offset + " of the frame at position " + position + ": " + report.findings());
            }
            log.flip(position + offset);
        }

        assertThat(missed).isEmpty();
        assertThat(audit().findings()).as("all repaired").isEmpty();
    }

    @Test
    void shouldFindALogThatEndsBeforeItsCatalogStopPosition() throws IOException
    {
        members = RecordedCluster.members("closed", folder);
        final LogSurgeon log = LogSurgeon.operate(
            members.get(1), (surgeon) -> surgeon.entries().remove(surgeon.entries().size() - 1));

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).singleElement()
            .extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(FindingKind.CUT_SHORT, 1, log.endPosition());
    }

    @Test
    void shouldFindASegmentThatIsMissing() throws IOException
    {
        final Recording stream = MemberLog.open(members.get(1), 1).stream();
        java.nio.file.Files.delete(stream.segmentFile(128 * 1024));

        final AuditReport report = audit();

        assertThat(report.findings()).singleElement()
            .extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(FindingKind.HOLE, 1, 128 * 1024L);
    }

    @Test
    void shouldFindMembersThatDifferWithinATermAndNoMajority() throws IOException
    {
        final long position = damage(Damage.DROPPED, RecordedCluster.PLAIN_CLIENT, 1);
        LogSurgeon.operate(members.get(2), (log) -> log.entries().subList(indexOf(log), log.entries().size()).clear());

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).first().extracting(AuditReport.Finding::kind, AuditReport.Finding::position)
            .containsExactly(FindingKind.DIVERGED, position);
        assertThat(report.findings().get(0).text()).contains("members 0 and 1", "no majority");
        assertThat(report.findings().subList(1, 4)).as("snapshots are beyond the committed log")
            .allMatch((finding) -> FindingKind.STATE_DIFFERS == finding.kind() && finding.position() > position);
        assertThat(report.findings()).hasSize(4);
    }

    @Test
    void shouldFindATruncatedMessageWithoutAChangeOfLeader() throws IOException
    {
        long position = 0;
        for (final Path member : members)
        {
            final LogSurgeon log = LogSurgeon.operate(
                member, (surgeon) -> surgeon.truncateFragment(surgeon.indexOf(RecordedCluster.PLAIN_CLIENT, 160), 2));
            position = log.entries().stream().filter((entry) -> entry.isMessageOf(RecordedCluster.PLAIN_CLIENT, 160))
                .findFirst().orElseThrow().position();
        }

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).first().extracting(AuditReport.Finding::kind, AuditReport.Finding::position)
            .containsExactly(FindingKind.MISPLACED, position);
    }

    @Test
    void shouldFindAnEntryOfAnotherTerm() throws IOException
    {
        long position = 0;
        for (final Path member : members)
        {
            final LogSurgeon log = LogSurgeon.operate(
                member, (surgeon) -> LogSurgeon.termId(surgeon.entries().get(indexOf(surgeon)), 77));
            position = log.entries().get(indexOf(log)).position();
        }

        final AuditReport report = audit();

        assertThat(report.findings()).singleElement().extracting(AuditReport.Finding::kind, AuditReport.Finding::position)
            .containsExactly(FindingKind.MISPLACED, position);
    }

    @Test
    void shouldReportWhatAMissingOrderedMessageBlocks() throws IOException
    {
        damage(Damage.DROPPED, RecordedCluster.ORDERED_CLIENT, 0, 1, 2);
        final long next = new LogSurgeon(members.get(0)).entries().get(
            new LogSurgeon(members.get(0)).indexOf(RecordedCluster.ORDERED_CLIENT, SEQUENCE + 1)).position();

        final AuditReport report = audit();

        final List<AuditReport.Finding> lost = report.findings().stream()
            .filter((finding) -> FindingKind.LOST == finding.kind()).toList();
        assertThat(report.findingCounts()).containsEntry(FindingKind.LOST, (long)RecordedCluster.COUNT - SEQUENCE);
        assertThat(lost).extracting(AuditReport.Finding::position).startsWith(next, next);
        assertThat(lost.get(0).text()).isEqualTo(
            "acknowledged message 150 of client -42 is not in the log of a majority up to position " +
            report.log().committedPosition() + "; later messages from position " + next + " on are rejected");
        assertThat(lost.get(1).text()).isEqualTo(
            "acknowledged message 151 of client -42 is only at position " + next +
            ", before an earlier message, and so is rejected");
    }

    @Test
    void shouldFindSegmentFilesWithoutCatalogAndRecordingLog() throws IOException
    {
        java.nio.file.Files.delete(members.get(0).resolve("archive").resolve("archive.catalog"));
        java.nio.file.Files.delete(members.get(0).resolve("cluster").resolve("recording.log"));
        java.nio.file.Files.delete(members.get(2).resolve("cluster").resolve("recording.log"));

        final AuditReport report = audit();

        assertThat(report.findings()).extracting(AuditReport.Finding::kind).containsOnly(
            FindingKind.UNREADABLE, FindingKind.LOST);
        assertThat(report.notes()).anyMatch((note) -> note.contains("1 states of member 1") && note.contains("not checked"));
        assertThat(report.findings().get(0).text()).isEqualTo(
            "the log of member 0 cannot be opened: its catalog and recording log are missing");
        assertThat(report.findings().get(1).text()).isEqualTo(
            "the log of member 2 cannot be opened: its recording log is missing");
    }

    @Test
    void shouldFindLogsThatCannotBeOpened() throws IOException
    {
        java.nio.file.Files.delete(members.get(0).resolve("archive").resolve("archive.catalog"));
        java.nio.file.Files.write(members.get(1).resolve("cluster").resolve("recording.log"), new byte[]{ 1, 2, 3 });

        final AuditReport report = Auditor.audit(members, List.of());

        assertThat(report.findings()).extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId)
            .contains(
                org.assertj.core.groups.Tuple.tuple(FindingKind.UNREADABLE, 0),
                org.assertj.core.groups.Tuple.tuple(FindingKind.UNREADABLE, 1));
        assertThat(report.members().get(0).hasLog()).isFalse();
    }

    private long damage(final Damage damage, final long clientId, final int... memberIds) throws IOException
    {
        long position = -1;
        for (final int memberId : memberIds)
        {
            final LogSurgeon log = new LogSurgeon(members.get(memberId));
            position = damage.damage(log, log.indexOf(clientId, SEQUENCE));
        }

        return position;
    }

    /** A missing message is only found at the next message of its client. */
    private static long distanceAllowed(final Damage damage)
    {
        return Damage.DROPPED == damage ? 1024 : 0;
    }

    private static List<AuditReport.Finding> throughJournal(final AuditReport report)
    {
        return report.findings().stream().filter((finding) -> AuditReport.Finding.ALL_MEMBERS == finding.memberId()).toList();
    }

    private static long nearest(final List<AuditReport.Finding> findings, final long position)
    {
        return findings.stream().mapToLong((finding) -> Math.abs(finding.position() - position)).min().orElse(Long.MAX_VALUE);
    }

    private static int indexOf(final LogSurgeon log)
    {
        return log.indexOf(RecordedCluster.PLAIN_CLIENT, SEQUENCE);
    }

    private AuditReport audit()
    {
        return Auditor.audit(members, List.of(recorded.resolve("journal")));
    }
}
