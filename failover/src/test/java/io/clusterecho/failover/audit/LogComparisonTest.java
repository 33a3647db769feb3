package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.schema.codecs.EchoRequestEncoder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogComparisonTest
{
    private static final int HEADER = DataHeaderFlyweight.HEADER_LENGTH;
    private static final long TERM = 5;

    @TempDir
    private Path folder;
    private final AuditFindings findings = new AuditFindings();
    private final List<WrittenLog> logs = new ArrayList<>();
    private final List<LogComparison.Walk> walks = new ArrayList<>();
    private final List<Long> committed = new ArrayList<>();
    private final List<List<Long>> gaps = new ArrayList<>();
    private LogComparison comparison;

    @BeforeEach
    void makeLogs()
    {
        for (int i = 0; i < 3; i++)
        {
            logs.add(new WrittenLog(folder.resolve(String.valueOf(i))));
        }
        append(Entries.newTerm(TERM, 0, 0), 0, 1, 2);
        append(message(0, 1), 0, 1, 2);
    }

    @AfterEach
    void close()
    {
        walks.forEach(LogReader::close);
    }

    @Test
    void shouldCommitWhatAllHave()
    {
        final long last = append(message(1, 1), 0, 1, 2);

        run();

        assertThat(committed).hasSize(3).last().isEqualTo(last);
        assertThat(comparison.position).isEqualTo(logs.get(0).position());
        assertStates(LogComparison.Walk.State.ENDED, LogComparison.Walk.State.ENDED, LogComparison.Walk.State.ENDED);
        assertThat(walks).allMatch((walk) -> 3 == walk.entryCount);
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldCommitOnlyWhatTwoOfThreeHave()
    {
        final long last = append(message(1, 1), 0, 2);
        append(message(2, 1), 0);

        run();

        assertThat(committed).hasSize(3).last().isEqualTo(last);
        assertStates(LogComparison.Walk.State.TAIL, LogComparison.Walk.State.ENDED, LogComparison.Walk.State.ENDED);
        assertThat(walks.get(0).tailStart).isEqualTo(comparison.position);
        assertThat(walks.get(1).tailStart).isEqualTo(-1);
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldNameTheMemberThatDiffersAndContinue()
    {
        final long position = append(message(1, 1), 0, 1);
        append(message(1, 2), 2);
        append(message(2, 1), 0, 1);
        append(message(2, 2), 2);
        final long last = append(message(3, 1), 0, 2);

        run();

        assertThat(findings.kept()).singleElement().isEqualTo(new AuditReport.Finding(
            FindingKind.DIVERGED, 2, position,
            "the log of member 2 differs from that of the majority at position " + position));
        assertThat(findings.counts()).containsEntry(FindingKind.DIVERGED, 2L);
        assertThat(committed).as("it votes again after it").last().isEqualTo(last);
        assertThat(walks.get(2).divergedFrameCount).isEqualTo(2);
    }

    @Test
    void shouldNotCompareAMemberAnyFurtherAfterAFrameOfAnotherLength()
    {
        final long position = append(message(1, 1), 0, 1);
        append(new byte[400], 2);
        append(message(2, 1), 0);

        run();

        assertThat(findings.kept()).singleElement().extracting(AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(2, position);
        assertThat(committed).last().isEqualTo(position);
        assertStates(LogComparison.Walk.State.TAIL, LogComparison.Walk.State.ENDED, LogComparison.Walk.State.INCOMPARABLE);
    }

    @Test
    void shouldDistinguishPaddingFromAMessage()
    {
        final byte[] message = message(1, 1);
        final long position = append(message, 0, 1);
        logs.get(2).pad(HEADER + message.length);
        append(message(2, 1), 0, 2);

        run();

        assertThat(findings.kept()).singleElement().extracting(AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(2, position);
        assertThat(committed).last().isEqualTo(position);
        assertStates(LogComparison.Walk.State.TAIL, LogComparison.Walk.State.ENDED, LogComparison.Walk.State.INCOMPARABLE);
    }

    @Test
    void shouldCompareFlagsAndReservedValues()
    {
        final byte[] message = message(1, 1);
        final long position = append(message, 0, 1);
        logs.get(2).append(FrameDescriptor.BEGIN_FRAG_FLAG, message);
        final long next = append(message(2, 1), 0, 1, 2);
        logs.get(1).put(next + DataHeaderFlyweight.RESERVED_VALUE_OFFSET, (byte)1);

        run();

        assertThat(findings.kept()).extracting(AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(tuple(2, position), tuple(1, next));
        assertThat(walks).extracting((walk) -> walk.entryCount).containsExactly(4L, 4L, 3L);
    }

    @Test
    void shouldPreferAnIntactFrame()
    {
        final long position = append(message(1, 1), 0, 1, 2);
        logs.get(0).put(position + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, (byte)1, (byte)2, (byte)3, (byte)4);
        final List<Boolean> intact = new ArrayList<>();

        run(3, (reader) -> intact.add(reader.isIntact));

        assertThat(intact).containsExactly(true, true, true);
        assertThat(findings.kept()).extracting(AuditReport.Finding::kind).containsExactly(FindingKind.BAD_CHECKSUM);
    }

    @Test
    void shouldNotReportOtherMembersForADamagedFrame()
    {
        final long position = append(message(1, 1), 0, 1, 2);
        for (int i = 0; i < 2; i++)
        {
            logs.get(i).put(position + HEADER + 60, (byte)0x55);
        }
        final long last = append(message(2, 1), 0, 1, 2);

        run();

        assertThat(findings.kept()).extracting(AuditReport.Finding::kind).containsOnly(FindingKind.BAD_CHECKSUM);
        assertThat(findings.kept()).extracting(AuditReport.Finding::memberId).containsExactlyInAnyOrder(0, 1);
        assertThat(committed).as("a majority agrees nevertheless").hasSize(4).last().isEqualTo(last);
    }

    @Test
    void shouldCountATrimmedMemberForWhatWasBefore()
    {
        final long position = logs.get(0).position();
        logs.set(2, new WrittenLog(folder.resolve("trimmed"), position, WrittenLog.TERM_LENGTH, true));
        final long last = append(message(1, 1), 0, 2);
        logs.set(1, new WrittenLog(folder.resolve("empty"), 0, WrittenLog.TERM_LENGTH, true));

        run();

        assertThat(committed).hasSize(3).last().isEqualTo(last);
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldContinueWhereAMajorityBeginsAfterTheOthersHaveEnded()
    {
        final long end = logs.get(0).position();
        final long start = end + 4096;
        logs.set(1, new WrittenLog(folder.resolve("purged-1"), start, WrittenLog.TERM_LENGTH, true));
        logs.set(2, new WrittenLog(folder.resolve("purged-2"), start, WrittenLog.TERM_LENGTH, true));
        final long last = append(message(9, 1), 1, 2);

        run();

        assertThat(gaps).containsExactly(List.of(end, start));
        assertThat(committed).hasSize(3).last().isEqualTo(last).isEqualTo(start);
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldNotContinueWithAMinority()
    {
        final long end = logs.get(0).position();
        logs.set(2, new WrittenLog(folder.resolve("purged"), end + 4096, WrittenLog.TERM_LENGTH, true));
        append(message(9, 1), 2);

        run();

        assertThat(gaps).isEmpty();
        assertThat(comparison.position).isEqualTo(end);
    }

    @Test
    void shouldFindALogThatBeginsWithinAFrame()
    {
        final long position = logs.get(0).position() - 32;
        logs.set(2, new WrittenLog(folder.resolve("odd"), position, WrittenLog.TERM_LENGTH, true));
        append(message(1, 1), 0, 1, 2);

        run();

        assertThat(findings.kept()).singleElement().isEqualTo(new AuditReport.Finding(
            FindingKind.DIVERGED, 2, position,
            "the log of member 2 begins at position " + position + ", which is within a frame of the majority"));
        assertThat(committed).hasSize(3);
        assertThat(walks.get(2).state).isEqualTo(LogComparison.Walk.State.INCOMPARABLE);
    }

    @Test
    void shouldAllowWhatALeaderWithoutAMajorityAppended()
    {
        final long position = append(message(1, 1), 0, 1);
        append(Entries.newTerm(TERM + 1, 2, position), 2);
        append(Entries.timer(TERM + 1), 2);

        run();

        assertThat(findings.kept()).isEmpty();
        assertThat(walks.get(2).state).isEqualTo(LogComparison.Walk.State.TAIL);
        assertThat(walks.get(2).tailStart).isEqualTo(position);
        assertThat(committed).last().isEqualTo(position);
    }

    @Test
    void shouldAllowWhatALaterLeaderReplaced()
    {
        final long position = append(message(1, 1), 2);
        append(Entries.newTerm(TERM + 1, 0, position), 0, 1);

        run();

        assertThat(findings.kept()).isEmpty();
        assertThat(walks.get(2).state).isEqualTo(LogComparison.Walk.State.TAIL);
        assertThat(committed).last().isEqualTo(position);
    }

    @Test
    void shouldNotAllowTwoLeadersInOneTerm()
    {
        final long position = append(Entries.newTerm(TERM + 1, 2, logs.get(2).position()), 2);
        append(Entries.newTerm(TERM + 1, 0, position), 0, 1);

        run();

        assertThat(findings.kept()).singleElement().extracting(AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(2, position);
    }

    @Test
    void shouldNotAllowATermThatDoesNotComeLater()
    {
        for (final long termId : new long[]{ TERM - 1, TERM })
        {
            final int count = findings.kept().size();
            logs.clear();
            walks.clear();
            for (int i = 0; i < 3; i++)
            {
                logs.add(new WrittenLog(folder.resolve(termId + "-" + i)));
            }
            append(Entries.newTerm(TERM, 0, 0), 0, 1, 2);
            final long position = append(message(1, 1), 0, 1);
            append(Entries.newTerm(termId, 2, position), 2);

            run();

            assertThat(findings.kept()).hasSize(count + 1).last().extracting(AuditReport.Finding::memberId).isEqualTo(2);
        }
    }

    @Test
    void shouldNameMembersThatDifferWithoutAMajority()
    {
        final long position = append(message(1, 1), 0);
        append(message(1, 2), 1);
        append(Entries.newTerm(TERM + 1, 2, position), 2);

        run();

        assertThat(findings.kept()).singleElement().isEqualTo(new AuditReport.Finding(
            FindingKind.DIVERGED, AuditReport.Finding.ALL_MEMBERS, position,
            "the logs of members 0 and 1 differ at position " + position + ", and no majority agrees"));
        assertStates(LogComparison.Walk.State.TAIL, LogComparison.Walk.State.TAIL, LogComparison.Walk.State.TAIL);
    }

    @Test
    void shouldFindTheLogOfAnotherCluster()
    {
        logs.set(1, new WrittenLog(folder.resolve("other")));
        append(Entries.newTerm(TERM, 1, 0), 1);
        append(message(0, 2), 1);

        run();

        assertThat(findings.kept()).singleElement().extracting(AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(1, 0L);
        assertThat(findings.counts()).containsEntry(FindingKind.DIVERGED, 2L);
        assertThat(comparison.position).isEqualTo(logs.get(0).position());
    }

    @Test
    void shouldCommitNothingWithoutLogs()
    {
        comparison = new LogComparison(List.of(), 3, findings);
        comparison.run(handler((reader) -> { }));

        assertThat(committed).isEmpty();
        assertThat(comparison.position).isZero();
    }

    @Test
    void shouldNeedAMajorityOfAllMembers()
    {
        run(5, (reader) -> { });
        assertThat(comparison.position).isEqualTo(logs.get(0).position());

        walks.clear();
        run(6, (reader) -> { });
        assertThat(comparison.position).isZero();
    }

    private void run()
    {
        run(3, (reader) -> { });
    }

    private void run(final int memberCount, final Consumer<LogReader> onFrame)
    {
        for (int i = 0; i < logs.size(); i++)
        {
            walks.add(new LogComparison.Walk(logs.get(i).open(), i, findings));
        }
        comparison = new LogComparison(walks, memberCount, findings);
        comparison.run(handler(onFrame));
    }

    private LogComparison.EntryAssembler handler(final Consumer<LogReader> onFrame)
    {
        return new LogComparison.EntryAssembler()
        {
            @Override
            void onEntry(final LogEntry entry)
            {
            }

            @Override
            void onFrame(final LogReader reader)
            {
                committed.add(reader.position());
                onFrame.accept(reader);
            }

            @Override
            void onGap(final long endPosition, final long startPosition)
            {
                gaps.add(List.of(endPosition, startPosition));
            }
        };
    }

    private void assertStates(final LogComparison.Walk.State... states)
    {
        assertThat(walks).extracting((walk) -> walk.state).containsExactly(states);
    }

    /** @return the position at which it begins. */
    private long append(final byte[] payload, final int... members)
    {
        long position = -1;
        for (final int member : members)
        {
            position = logs.get(member).append(payload);
        }
        return position;
    }

    private static byte[] message(final long sequence, final int content)
    {
        return Entries.message(TERM, EchoRequestEncoder.TEMPLATE_ID, 77, sequence, content);
    }
}
