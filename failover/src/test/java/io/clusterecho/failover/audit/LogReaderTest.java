package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.node.member.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.aeron.protocol.DataHeaderFlyweight;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LogReaderTest
{
    private static final int MEMBER_ID = 2;
    private static final int HEADER = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int TERM = WrittenLog.TERM_LENGTH;
    private static final int SEGMENT = WrittenLog.SEGMENT_LENGTH;
    private static final int PAGE = 4096;

    @TempDir
    private Path folder;
    private final AuditFindings findings = new AuditFindings();
    private final List<LogReader> readers = new ArrayList<>();

    @AfterEach
    void close()
    {
        readers.forEach(LogReader::close);
    }

    @Test
    void shouldReadThroughTermsAndSegments()
    {
        final WrittenLog log = new WrittenLog(folder);
        final List<Long> positions = new ArrayList<>();
        while (log.position() < 2 * SEGMENT + 100)
        {
            if (TERM - log.position() % TERM < 2000)
            {
                log.pad();
            }
            positions.add(log.append(payload(1500 + positions.size() % 64)));
        }

        final LogReader reader = reader(log.closed());
        final List<Long> found = new ArrayList<>();
        int padCount = 0;
        while (reader.next())
        {
            assertThat(reader.isIntact).isTrue();
            assertThat(reader.endPosition()).isEqualTo(reader.position() + reader.alignedLength());
            if (reader.isPadding())
            {
                padCount++;
                assertThat(reader.endPosition() % TERM).isZero();
            }
            else
            {
                final int length = 1500 + found.size() % 64;
                assertThat(reader.frameLength()).isEqualTo(HEADER + length);
                final byte[] payload = new byte[length];
                reader.buffer().getBytes(reader.frameIndex() + HEADER, payload);
                assertThat(payload).isEqualTo(payload(length));
                found.add(reader.position());
            }
        }

        assertThat(found).isEqualTo(positions);
        assertThat(padCount).isEqualTo(4);
        assertThat(reader.position()).isEqualTo(log.position());
        assertThat(reader.badChecksumCount).isZero();
        assertNothingFound();
    }

    @Test
    void shouldBeginWhereTheRecordingBegins()
    {
        final WrittenLog log = new WrittenLog(folder, SEGMENT + 96, TERM, true);
        log.append(payload(100));

        final LogReader reader = reader(log.open());

        assertThat(reader.startPosition()).isEqualTo(SEGMENT + 96);
        assertThat(reader.next()).isTrue();
        assertThat(reader.position()).isEqualTo(SEGMENT + 96);
        assertThat(reader.next()).isFalse();
        assertThat(reader.position()).isEqualTo(log.position());
        assertNothingFound();
    }

    @Test
    void shouldEndAtTheStopPositionOfTheCatalogAlthoughMoreFollows()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long end = log.position();
        log.append(payload(100));

        assertThat(walk(log.stream(end))).isEqualTo(end);
        assertNothingFound();
    }

    @Test
    void shouldEndAfterALastSegmentThatIsFull()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        log.pad();
        log.append(payload(100));
        log.pad();

        assertThat(walk(log.open())).isEqualTo(SEGMENT);
        assertNothingFound();
    }

    @Test
    void shouldReadWhatALiveMemberHasWrittenMeanwhile()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final LogReader reader = reader(log.open());
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isFalse();

        final long position = log.append(payload(200));

        assertThat(reader.next()).isTrue();
        assertThat(reader.position()).isEqualTo(position);
        assertThat(reader.frameLength()).isEqualTo(HEADER + 200);
        assertThat(reader.next()).isFalse();
        assertNothingFound();
    }

    @Test
    void shouldReadAFrameAgainThatWasBeingWritten()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(200));
        log.put(position + HEADER, new byte[200]);
        final LogReader reader = reader(log.open());
        assertThat(reader.next()).isTrue();

        log.put(position + HEADER, payload(200));

        assertThat(reader.next()).isTrue();
        assertThat(reader.isIntact).isTrue();
        assertThat(reader.badChecksumCount).isZero();
        assertNothingFound();
    }

    @Test
    void shouldContinueAfterAFrameWithAWrongChecksum()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(100));
        log.append(payload(100));
        log.put(position + HEADER + 50, (byte)0);

        final LogReader reader = reader(log.open());
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isTrue();
        assertThat(reader.isIntact).isFalse();
        assertThat(reader.next()).isTrue();
        assertThat(reader.isIntact).isTrue();
        assertThat(reader.next()).isFalse();
        assertThat(reader.badChecksumCount).isEqualTo(1);
        assertFound(FindingKind.BAD_CHECKSUM, position, "whose bytes do not match its checksum");
    }

    @Test
    void shouldCheckTheLastFrameToo()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(2 * PAGE));
        log.put(position + HEADER + 50, (byte)0);

        assertThat(walk(log.open())).isEqualTo(log.position());
        assertFound(FindingKind.BAD_CHECKSUM, position, "whose bytes do not match its checksum");
    }

    @Test
    void shouldEndAtAPartlyWrittenFrame()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(2 * PAGE));
        log.put(PAGE, new byte[(int)(log.position() - PAGE)]);

        assertThat(walk(log.open())).isEqualTo(position);
        assertThat(findings.counts()).isEmpty();
        assertThat(findings.notes()).singleElement().asString()
            .contains("partly written frame at position " + position);
    }

    @Test
    void shouldTakeAFrameWithoutOnePageAsPartlyWritten()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(2 * PAGE));
        log.put(2 * PAGE, new byte[(int)(log.position() - 2 * PAGE)]);

        assertThat(walk(log.open())).isEqualTo(position);
        assertThat(findings.counts()).isEmpty();
        assertThat(findings.notes()).hasSize(1);
    }

    @Test
    void shouldNotTakeAFrameWithAllItsPagesAsPartlyWritten()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(2 * PAGE));
        log.put(PAGE, new byte[PAGE - 1]);
        log.put(2 * PAGE + 1, new byte[(int)(log.position() - 2 * PAGE - 1)]);

        assertThat(walk(log.open())).isEqualTo(log.position());
        assertFound(FindingKind.BAD_CHECKSUM, position, "whose bytes do not match its checksum");
    }

    @Test
    void shouldNotTakeAFrameFollowedByOthersAsPartlyWritten()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(2 * PAGE));
        log.put(PAGE, new byte[(int)(log.position() - PAGE)]);
        log.append(payload(100));

        assertThat(walk(log.open())).isEqualTo(log.position());
        assertFound(FindingKind.BAD_CHECKSUM, position, "whose bytes do not match its checksum");
    }

    @Test
    void shouldNotTakeAFrameBeforeTheStopPositionAsPartlyWritten()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(2 * PAGE));
        log.put(PAGE, new byte[(int)(log.position() - PAGE)]);

        assertThat(walk(log.closed())).isEqualTo(log.position());
        assertFound(FindingKind.BAD_CHECKSUM, position, "whose bytes do not match its checksum");
    }

    @Test
    void shouldFindAHoleAndWhereTheLogContinues()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long position = log.append(payload(100));
        final long next = log.append(payload(100));
        log.put(position, new byte[(int)(next - position)]);

        assertThat(walk(log.open())).isEqualTo(position);
        assertFound(FindingKind.HOLE, position, "has a hole at position " + position + " and continues at " + next);
    }

    @Test
    void shouldFindAHoleUpToTheNextSegment()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        log.pad();
        log.append(payload(100));
        final long position = log.pad();
        log.append(payload(100));
        log.put(position, new byte[HEADER]);

        assertThat(walk(log.open())).isEqualTo(position);
        assertFound(FindingKind.HOLE, position, "has a hole at position " + position + " and continues at " + SEGMENT);
    }

    @Test
    void shouldFindAMissingSegment() throws IOException
    {
        final WrittenLog log = new WrittenLog(folder);
        for (int i = 0; i < 6; i++)
        {
            log.append(payload(100));
            log.pad();
        }
        log.append(payload(100));
        Files.delete(log.segmentFile(SEGMENT));

        assertThat(walk(log.open())).isEqualTo(SEGMENT);
        assertFound(
            FindingKind.HOLE, SEGMENT, "has no segment file for position " + SEGMENT + " but continues at " + 2 * SEGMENT);
    }

    @Test
    void shouldFindAMissingLastSegmentOfAClosedLog() throws IOException
    {
        final WrittenLog log = new WrittenLog(folder);
        for (int i = 0; i < 3; i++)
        {
            log.append(payload(100));
            log.pad();
        }
        Files.delete(log.segmentFile(SEGMENT));

        assertThat(walk(log.closed())).isEqualTo(SEGMENT);
        assertFound(
            FindingKind.CUT_SHORT, SEGMENT,
            "has no segment file for position " + SEGMENT + ", but its catalog ends at " + log.position());
    }

    @Test
    void shouldFindThatAClosedLogEndsEarlier()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long end = log.position();

        assertThat(walk(log.stream(end + 128))).isEqualTo(end);
        assertFound(FindingKind.CUT_SHORT, end, "ends at position " + end + ", but its catalog states " + (end + 128));
    }

    @Test
    void shouldFindATruncatedSegmentFile()
    {
        for (final int bytes : new int[]{ 0, 1, HEADER, HEADER + 99 })
        {
            final WrittenLog log = new WrittenLog(folder.resolve("cut-" + bytes));
            log.append(payload(100));
            final long position = log.append(payload(100));
            log.cut(position + bytes);

            final AuditFindings own = new AuditFindings();
            try (LogReader reader = new LogReader(log.open(), MEMBER_ID, "the log", own))
            {
                assertThat(reader.next()).isTrue();
                assertThat(reader.next()).isFalse();
                assertThat(reader.next()).as("no further").isFalse();
            }
            assertThat(own.kept()).singleElement().extracting(AuditReport.Finding::kind, AuditReport.Finding::position)
                .containsExactly(FindingKind.CUT_SHORT, position);
            assertThat(own.kept().get(0).text()).contains(
                "is truncated at position " + position + ": its segment file ends at byte " + (position + bytes) + " of " +
                SEGMENT + ", " + bytes + " bytes into that frame");
        }
    }

    @Test
    void shouldFindASegmentFileTruncatedBeyondTheLastFrame()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(100));
        final long end = log.position();
        log.cut(end + 1000);

        assertThat(walk(log.open())).isEqualTo(end);
        assertFound(FindingKind.CUT_SHORT, end, "1000 bytes into that frame");
    }

    @Test
    void shouldNameTheInvalidHeaderField()
    {
        assertHeaderProblem(0, 16, "length is 16 bytes");
        assertHeaderProblem(0, -1, "length is -1 bytes");
        assertHeaderProblem(0, TERM, "length is " + TERM + " bytes");
        assertHeaderProblem(4, 0x0003_c000, "type is 3");
        assertHeaderProblem(4, 0x0001_c001, "version is 1");
        assertHeaderProblem(8, 64, "term offset is 64, not 160");
        assertHeaderProblem(16, 101, "stream id is 101, not " + WrittenLog.STREAM_ID);
        assertHeaderProblem(20, 8, "term id is 8, not 7");
    }

    @Test
    void shouldAllowAFrameThatFillsItsTerm()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.append(payload(TERM - HEADER));
        log.append(payload(100));
        log.pad(TERM - 160);

        assertThat(walk(log.closed())).isEqualTo(2 * TERM);
        assertNothingFound();
    }

    @Test
    void shouldAllowOnlyPaddingToBeLongerThanAnyMessage()
    {
        final WrittenLog log = new WrittenLog(folder, 0, 4 * TERM, true);
        log.append(payload((1 << 16) - HEADER));
        log.pad();
        final long position = log.append(payload((1 << 16) - HEADER + 1));

        assertThat(walk(log.closed())).isEqualTo(position);
        assertFound(FindingKind.BAD_FRAME, position, "length is " + ((1 << 16) + 1) + " bytes");
    }

    @Test
    void shouldNoteThatALogWasRecordedWithoutChecksums()
    {
        final WrittenLog log = new WrittenLog(folder, 0, TERM, false);
        for (int i = 0; i < 100; i++)
        {
            log.append(payload(100));
        }
        log.put(HEADER + 7, (byte)0);

        assertThat(walk(log.open())).isEqualTo(log.position());
        assertThat(findings.counts()).isEmpty();
        assertThat(findings.notes()).singleElement().asString().startsWith("the log was recorded without checksums");
    }

    @Test
    void shouldNotTakeALogWhoseFirstFramesAreDamagedAsOneWithoutChecksums()
    {
        final WrittenLog log = new WrittenLog(folder);
        for (int i = 0; i < 64; i++)
        {
            log.append(payload(100));
        }
        for (int i = 0; i < 63; i++)
        {
            log.put(i * 160 + HEADER, (byte)0);
        }

        assertThat(walk(log.open())).isEqualTo(log.position());
        assertThat(findings.counts()).containsEntry(FindingKind.BAD_CHECKSUM, 63L).hasSize(1);
        assertThat(findings.notes()).isEmpty();
    }

    @Test
    void shouldOnlyProbeTheFirstFramesForChecksums()
    {
        final WrittenLog log = new WrittenLog(folder);
        for (int i = 0; i < 65; i++)
        {
            log.append(payload(100));
        }
        for (int i = 0; i < 64; i++)
        {
            log.put(i * 160 + HEADER, (byte)0);
        }

        assertThat(walk(log.open())).isEqualTo(log.position());
        assertThat(findings.counts()).isEmpty();
        assertThat(findings.notes()).hasSize(1);
    }

    @Test
    void shouldFindChecksumsAfterPadding()
    {
        final WrittenLog log = new WrittenLog(folder, TERM - 64, TERM, true);
        log.pad();
        final long position = log.append(payload(100));
        log.append(payload(100));
        log.put(position + HEADER, (byte)0);

        assertThat(walk(log.closed())).isEqualTo(log.position());
        assertFound(FindingKind.BAD_CHECKSUM, position, "checksum");
    }

    @Test
    void shouldReportNothingOnALogWithoutFrames()
    {
        final WrittenLog log = new WrittenLog(folder);
        log.put(SEGMENT - 1, (byte)0);

        assertThat(walk(log.open())).isZero();
        assertThat(walk(new WrittenLog(folder.resolve("none")).open())).as("no file either").isZero();
        assertNothingFound();
    }

    @Test
    void shouldReportAFileThatCannotBeRead() throws IOException
    {
        final WrittenLog log = new WrittenLog(folder);
        Files.createDirectory(log.segmentFile(0));

        final LogReader reader = reader(log.open());
        assertThat(reader.next()).isFalse();
        assertThat(reader.next()).isFalse();
        assertFound(FindingKind.UNREADABLE, 0, "cannot be read at position 0");
    }

    private void assertHeaderProblem(final int fieldOffset, final int value, final String text)
    {
        final WrittenLog log = new WrittenLog(folder.resolve("header-" + fieldOffset + "-" + value));
        log.append(payload(100));
        final long position = log.append(payload(100));
        log.append(payload(100));
        log.putInt(position + fieldOffset, value);

        final AuditFindings own = new AuditFindings();
        try (LogReader reader = new LogReader(log.open(), MEMBER_ID, "the log", own))
        {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).as(text).isFalse();
            assertThat(reader.next()).as("no further").isFalse();
        }
        assertThat(own.kept()).singleElement()
            .extracting(
                AuditReport.Finding::kind, AuditReport.Finding::memberId, AuditReport.Finding::position,
                AuditReport.Finding::text)
            .containsExactly(
                FindingKind.BAD_FRAME, MEMBER_ID, position,
                "the log has an invalid frame at position " + position + ": its " + text);
    }

    private void assertNothingFound()
    {
        assertThat(findings.kept()).isEmpty();
        assertThat(findings.notes()).isEmpty();
    }

    private void assertFound(final FindingKind kind, final long position, final String text)
    {
        assertThat(findings.kept()).singleElement()
            .extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(kind, MEMBER_ID, position);
        assertThat(findings.kept().get(0).text()).startsWith("the log ").contains(text);
        assertThat(findings.notes()).isEmpty();
    }

    private LogReader reader(final Recording stream)
    {
        final LogReader reader = new LogReader(stream, MEMBER_ID, "the log", findings);
        readers.add(reader);
        return reader;
    }

    /** @return where it ended. */
    private long walk(final Recording stream)
    {
        final LogReader reader = reader(stream);
        long end = stream.startPosition();
        while (reader.next())
        {
            assertThat(reader.position()).isEqualTo(end);
            end = reader.endPosition();
        }
        assertThat(reader.position()).isEqualTo(end);
        return end;
    }

    private static byte[] payload(final int length)
    {
        final byte[] payload = new byte[length];
        Arrays.fill(payload, (byte)(length | 1));
        return payload;
    }
}
