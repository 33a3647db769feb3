package io.clusterecho.failover.audit;

import static io.clusterecho.failover.audit.OwnServiceTest.COUNT;
import static io.clusterecho.failover.audit.OwnServiceTest.FIRST_CLIENT;
import static io.clusterecho.failover.audit.OwnServiceTest.OTHER_SESSION;
import static io.clusterecho.failover.audit.OwnServiceTest.REQUEST;
import static io.clusterecho.failover.audit.OwnServiceTest.indexOf;
import static io.clusterecho.failover.audit.OwnServiceTest.operate;
import static io.clusterecho.failover.audit.OwnServiceTest.session;
import static io.clusterecho.failover.audit.OwnServiceTest.timeMs;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.clusterecho.client.record.Journal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clocks, purged logs and incomplete journals leave open about the requests of a service of the user. */
class OwnServiceDoubtTest
{
    private static final int SESSIONS = RecordedRequests.SESSIONS;
    private static final int RECORD_LENGTH = 24;
    private static final byte DROPPED = 4;
    private static final int START_OFFSET = 16;

    @TempDir
    private Path folder;
    private List<Path> members;
    private long[] sessions;

    @BeforeEach
    void copyLogs() throws IOException
    {
        members = RecordedCluster.members("running", folder);
        sessions = OwnServiceTest.sessions();
    }

    @ParameterizedTest
    @ValueSource(longs = { 5_000, -5_000, 600_000, -600_000 })
    void shouldFindRequestsWhateverTheClocksOfLeadersSay(final long differenceMs) throws IOException
    {
        final AuditReport report = audit(between(journal(0), timeMs(0) - differenceMs, timeMs(COUNT - 1) - differenceMs));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT);
        assertThat(report.log().applied()).isEqualTo(COUNT);
        assertThat(report.notes()).filteredOn((note) -> note.startsWith("by the clocks of leaders, ")).singleElement().asString()
            .contains(5_000 == Math.abs(differenceMs) ? " 5.00 s " : " 600 s ", "clocks differ", "the log is that of another");
    }

    @Test
    void shouldNotSpeakOfClocksThatAgree() throws IOException
    {
        final AuditReport report = audit(between(journal(0), timeMs(0) + 900, timeMs(COUNT - 1)));

        assertThat(report.findings()).isEmpty();
        assertThat(report.notes()).noneMatch((note) -> note.contains("clocks of leaders"));
    }

    @Test
    void shouldNotBeCleanIfAllRequestsOfOneClientAreMissingAfterAPurge() throws IOException
    {
        members = RecordedCluster.members("trimmed", folder);
        operate(members, (log) -> log.entries().removeIf((entry) ->
            IntStream.range(0, RecordedCluster.COUNT)
                .anyMatch((sequence) -> entry.isMessageOf(RecordedCluster.ORDERED_CLIENT, sequence))));

        final AuditReport report = audit(journal(0));

        assertThat(report.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.UNREADABLE);
            assertThat(finding.text()).contains(
                "have none of the requests of client " + (FIRST_CLIENT + 1) + " that were acknowledged");
        });
        assertThat(report.journal().acknowledgedInMajority()).as("of the other client").isPositive();
        assertThat(report.journal().acknowledgedPurged()).isGreaterThanOrEqualTo(RecordedCluster.COUNT);
    }

    @Test
    void shouldNotMissWhatWasPurgedIfAnEarlierRequestComesLast() throws IOException
    {
        final LogSurgeon whole = new LogSurgeon(members.get(0));
        members = RecordedCluster.members("trimmed", folder);
        final LogSurgeon.Entry late = whole.entries().get(indexOf(whole, 0));
        LogSurgeon.termId(late, 1);
        operate(members, (log) -> log.entries().add(late));

        final AuditReport report = audit(journal(0));

        assertThat(report.findings()).isEmpty();
        assertThat(report.journal().acknowledgedPurged()).isPositive();
        assertThat(report.journal().acknowledgedInMajority() + report.journal().acknowledgedPurged()).isEqualTo(COUNT);
    }

    @Test
    void shouldNotKnowWhatWasPurgedIfTheFirstSessionsAreNotInTheJournal() throws IOException
    {
        members = RecordedCluster.members("trimmed", folder);

        final AuditReport report = audit(dropped(journal(RecordedCluster.FIRST_COUNT)));

        assertThat(report.findings()).singleElement()
            .extracting(AuditReport.Finding::kind).isEqualTo(FindingKind.JOURNAL_INCOMPLETE);
        assertThat(report.journal().acknowledgedLost()).as("the opening of the second session proves nothing").isZero();
        assertThat(report.journal().acknowledgedPurged()).isPositive();
        assertThat(report.journal().acknowledgedInMajority()).as("also in the first session, which the journal lacks")
            .isGreaterThan(SESSIONS * RecordedCluster.SECOND_COUNT);
        assertThat(report.journal().acknowledgedInMajority() + report.journal().acknowledgedPurged()).isEqualTo(COUNT);
    }

    @Test
    void shouldNotMissWhatIsNotInTheLogBeforeAGapIfItsSessionsAreNotInTheJournal() throws IOException
    {
        for (final Path trimmed : members.subList(0, 2))
        {
            RecordedCluster.delete(trimmed);
            RecordedCluster.copy(RecordedCluster.recorded().resolve("trimmed"), trimmed);
        }
        LogSurgeon.operate(members.get(2), (log) ->
        {
            log.entries().subList(100, log.entries().size()).clear();
            log.entries().remove(indexOf(log, REQUEST - 2 * 130));
        });

        final AuditReport report = audit(dropped(journal(RecordedCluster.FIRST_COUNT)));

        assertThat(report.notes()).anyMatch((note) -> note.startsWith("no log has the positions from "));
        assertThat(report.findings()).as("the others may be of another load").singleElement()
            .extracting(AuditReport.Finding::kind).isEqualTo(FindingKind.JOURNAL_INCOMPLETE);
        assertThat(report.journal().acknowledgedLost()).isZero();
    }

    @Test
    void shouldFindRequestsInSessionsThatAnIncompleteJournalLacks() throws IOException
    {
        operate(members, (log) ->
        {
            log.repeat(indexOf(log, REQUEST));
            session(log, indexOf(log, REQUEST) + 1, OTHER_SESSION);
        });

        final AuditReport report = audit(dropped(journal(RecordedCluster.FIRST_COUNT)));

        assertThat(report.findings()).as("nor is one of two in such sessions a copy").singleElement()
            .extracting(AuditReport.Finding::kind).isEqualTo(FindingKind.JOURNAL_INCOMPLETE);
        assertThat(report.journal().acknowledgedInMajority()).isEqualTo(COUNT);
        assertThat(report.log().applied()).isEqualTo(COUNT);
        assertThat(report.journal().appliedTwice()).isZero();
    }

    @Test
    void shouldNameARequestThatIsCommittedTwiceThoughTheJournalIsNotClosed() throws IOException
    {
        operate(members, (log) ->
        {
            log.repeat(indexOf(log, REQUEST));
            log.repeat(indexOf(log, REQUEST + 2));
            session(log, indexOf(log, REQUEST + 2) + 1, OTHER_SESSION);
        });
        final byte[] whole = Files.readAllBytes(journal(0));

        final AuditReport report =
            audit(Files.write(folder.resolve("killed"), Arrays.copyOf(whole, whole.length - RECORD_LENGTH)));

        assertThat(report.findings()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.SURPLUS);
            assertThat(finding.text()).contains("message 150 of client " + (FIRST_CLIENT + 1), "is copy 2 of it");
        });
        assertThat(report.journal().appliedTwice()).isEqualTo(1);
        assertThat(report.notes()).anyMatch((note) -> note.contains("finds requests in sessions that it does not have"));
    }

    private AuditReport audit(final Path journal)
    {
        return Auditor.audit(members, List.of(journal), new RequestIndex(new RecordedRequests(), SESSIONS));
    }

    /** A journal of replies to all requests in the log, and of the sends of those from a sequence on. */
    private Path journal(final int firstSent) throws IOException
    {
        final Path file = folder.resolve("journal-own");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            for (int number = 0; number < COUNT; number++)
            {
                final int sequence = number / SESSIONS;
                if (sequence >= firstSent)
                {
                    journal.onSent(
                        FIRST_CLIENT + number % SESSIONS, sequence, sessions[sequence < RecordedCluster.FIRST_COUNT ? 0 : 1]);
                }
                journal.onReply(FIRST_CLIENT + number % SESSIONS, sequence, 0, 0, 1);
            }
        }
        return between(file, timeMs(0), timeMs(COUNT - 1));
    }

    /** Begin and end of the load, in ms since the epoch. */
    private static Path between(final Path journal, final long startMs, final long endMs) throws IOException
    {
        return edit(journal, (bytes) ->
            bytes.putLong(START_OFFSET, startMs).putLong(bytes.capacity() - RECORD_LENGTH + Long.BYTES, endMs));
    }

    private static Path edit(final Path journal, final Consumer<ByteBuffer> change) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(journal);
        change.accept(ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN));
        return Files.write(journal, bytes);
    }

    /** The same with a record of one that was dropped, before the last. */
    private static Path dropped(final Path journal) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(journal);
        final ByteBuffer changed = ByteBuffer.allocate(bytes.length + RECORD_LENGTH).order(LITTLE_ENDIAN);
        changed.put(bytes, 0, bytes.length - RECORD_LENGTH);
        changed.put(DROPPED).position(changed.position() + 2 * Long.BYTES - 1);
        changed.putLong(1).put(bytes, bytes.length - RECORD_LENGTH, RECORD_LENGTH);
        return Files.write(journal, changed.array());
    }
}
