package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.clusterecho.client.record.Journal;
import io.clusterecho.failover.audit.AuditedClient.Fact;
import io.clusterecho.schema.RunningChecksum;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestEncoder;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest
{
    private static final int PLAIN = EchoRequestEncoder.TEMPLATE_ID;
    private static final int ORDERED = OrderedEchoRequestEncoder.TEMPLATE_ID;
    private static final long CLIENT = 77;
    private static final long OTHER_CLIENT = 78;
    private static final long TERM = 5;
    private static final long START = 4096;

    @TempDir
    private Path folder;
    private final AuditFindings findings = new AuditFindings();
    private AuditedClients journals = AuditedClients.read(List.of(), null, findings);
    private Replay replay;
    private long position;
    private int journalCount;

    @Test
    void shouldApplyEachMessageOnce()
    {
        begin(0);
        add(Entries.open(TERM));
        add(plain(0));
        add(plain(1));
        add(plain(1));
        add(plain(3));
        add(plain(0));
        add(Entries.close(TERM));

        assertThat(audit().applied()).isEqualTo(3);
        assertThat(audit().repeated()).isEqualTo(2);
        assertThat(audit().gaps()).isEqualTo(1);
        assertThat(audit().tooEarly()).isZero();
        assertThat(audit().refused()).isZero();
        assertThat(audit().entryCounts().get(EntryKind.SESSION_MESSAGE)).isEqualTo(5);
        assertThat(audit().entryCounts().get(EntryKind.SESSION_OPEN)).isEqualTo(1);
        assertThat(audit().entryCounts().get(EntryKind.TIMER)).isZero();
        assertThat(replay.isApplying).isTrue();
        assertThat(journals.client(CLIENT).lastSequence).isEqualTo(3);
        assertThat(journals.client(CLIENT).appliedCount).isEqualTo(3);
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldRejectOrderedMessagesBeforeAnEarlierOne()
    {
        begin(0);
        add(ordered(0));
        final long second = add(ordered(2));
        final long third = add(ordered(3));
        add(ordered(2));

        assertThat(audit().applied()).isEqualTo(1);
        assertThat(audit().tooEarly()).isEqualTo(3);
        assertThat(audit().gaps()).isZero();
        assertThat(journals.client(CLIENT).tooEarlyPositions.get(2)).as("the first time").isEqualTo(second);
        assertThat(journals.client(CLIENT).firstTooEarlyPosition()).isEqualTo(second);

        add(ordered(1));
        add(ordered(2));
        assertThat(audit().applied()).isEqualTo(3);
        assertThat(journals.client(CLIENT).tooEarlyPositions.get(2)).isEqualTo(AuditedClient.NO_POSITION);
        assertThat(journals.client(CLIENT).firstTooEarlyPosition()).isEqualTo(third);
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldComputeTheChecksumsOfTheService()
    {
        begin(0);
        final byte[] one = plain(0);
        final long onePosition = add(one) + Entries.room(one);
        final byte[] two = Entries.message(TERM, PLAIN, OTHER_CLIENT, 4);
        final long twoPosition = add(two) + Entries.room(two);

        final long ofOne = RunningChecksum.next(0, 0, Entries.check(one));
        final long ofTwo = RunningChecksum.next(0, 4, Entries.check(two));
        assertThat(audit().clients()).extracting(AuditReport.Log.Client::clientId).containsExactly(CLIENT, OTHER_CLIENT);
        assertThat(journals.client(CLIENT).checksum).isEqualTo(ofOne);
        assertThat(journals.client(OTHER_CLIENT).checksum).isEqualTo(ofTwo);
        assertThat(checksum()).isEqualTo(
            fold(fold(fold(fold(fold(fold(0, CLIENT), ofOne), onePosition), OTHER_CLIENT), ofTwo), twoPosition));
    }

    @Test
    void shouldRejectWhatIsNotARequest()
    {
        begin(0);
        add(Entries.message(TERM, EchoResponseEncoder.TEMPLATE_ID, CLIENT, 0));
        add(plain(-1));
        add(Entries.message(TERM, 9999, CLIENT, 0));
        assertThat(findings.kept()).isEmpty();
        final byte[] altered = plain(0);
        altered[altered.length - 1] ^= 1;
        final long alteredPosition = add(altered);

        assertThat(audit().refused()).isEqualTo(4);
        assertThat(audit().applied()).isZero();
        assertThat(audit().clients()).isEmpty();
        assertFinding(FindingKind.ALTERED, alteredPosition, "does not match its own check");
    }

    @Test
    void shouldReportAnAcknowledgedMessageThatIsMissing()
    {
        begin(0, (journal) ->
        {
            for (int i = 0; i < 5; i++)
            {
                sent(journal, i);
                if (3 != i)
                {
                    acknowledged(journal, plain(i), i);
                }
            }
        });
        add(plain(0));
        final long end = add(plain(4));

        assertThat(findings.kept()).extracting(AuditReport.Finding::kind).containsOnly(FindingKind.LOST);
        assertThat(findings.kept()).extracting(AuditReport.Finding::position).containsExactly(end, end);
        assertThat(findings.kept().get(0).text()).isEqualTo(
            "acknowledged message 1 of client 77 is missing before position " + end + ", where message 4 is");
        assertThat(findings.kept().get(1).text()).contains("message 2 of client 77");
        final AuditedClient journal = journals.client(CLIENT);
        assertThat(journal.is(0, Fact.REPORTED)).isFalse();
        assertThat(journal.is(1, Fact.REPORTED)).isTrue();
        assertThat(journal.is(2, Fact.REPORTED)).isTrue();
        assertThat(journal.is(3, Fact.REPORTED)).isFalse();
        assertThat(journal.is(4, Fact.REPORTED)).isFalse();
        assertThat(journal.is(0, Fact.APPLIED)).isTrue();
        assertThat(journal.is(1, Fact.APPLIED)).isFalse();
        assertThat(journal.is(4, Fact.APPLIED)).isTrue();
        assertThat(audit().gaps()).isEqualTo(1);
    }

    @Test
    void shouldFindSwappedMessages()
    {
        begin(0, (journal) ->
        {
            for (int i = 0; i < 3; i++)
            {
                sent(journal, i);
                sent(journal, i);
            }
        });
        add(plain(0));
        add(plain(2));
        add(plain(2));
        add(plain(0));
        assertThat(findings.kept()).as("a duplicate is not a swap").isEmpty();
        final long behind = add(plain(1));

        assertFinding(
            FindingKind.OUT_OF_ORDER, behind, "message 1 of client 77 at position " + behind + " follows message 2");
    }

    @Test
    void shouldNotCheckTheOrderOfAClientWithoutAJournal()
    {
        begin(0);
        add(plain(1));
        add(plain(0));

        assertThat(findings.kept()).isEmpty();
        assertThat(audit().repeated()).isEqualTo(1);
    }

    @Test
    void shouldFindMoreCopiesThanWereSent()
    {
        begin(0, (journal) ->
        {
            sent(journal, 0);
            sent(journal, 1);
            sent(journal, 1);
            acknowledged(journal, plain(2), 2);
        });
        add(plain(0));
        add(plain(1));
        add(plain(1));
        add(plain(2));
        assertThat(findings.kept()).isEmpty();
        final long first = add(plain(0));

        assertFinding(
            FindingKind.SURPLUS, first,
            "message 0 of client 77 was sent 1 times, but position " + first + " is copy 2 of it");
        add(plain(2));
        assertThat(findings.kept()).as("an answered message was sent").hasSize(2);
    }

    @Test
    void shouldFindAnotherMessageThanTheOneThatWasAcknowledged()
    {
        begin(0, (journal) ->
        {
            sent(journal, 0);
            sent(journal, 1);
            acknowledged(journal, plain(1), 1);
        });
        add(Entries.message(TERM, PLAIN, CLIENT, 0, 9));
        assertThat(findings.kept()).as("not acknowledged").isEmpty();
        final long altered = add(Entries.message(TERM, PLAIN, CLIENT, 1, 9));

        assertFinding(FindingKind.ALTERED, altered, "message 1 of client 77 at position " + altered + " is not the one");
    }

    @Test
    void shouldNoteTheTermsAndTheirLeaders()
    {
        begin(0);
        final long first = add(Entries.newTerm(5, 2, position));
        add(plain(0));
        final long second = add(Entries.newTerm(9, 0, position));
        add(Entries.action(9, position));

        assertThat(audit().terms()).containsExactly(
            new AuditReport.Log.Term(5, 2, first, Entries.TIMESTAMP), new AuditReport.Log.Term(9, 0, second, Entries.TIMESTAMP));
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldFindEntriesOfAnotherTerm()
    {
        begin(0);
        add(Entries.timer(3));
        final long newer = add(Entries.timer(4));
        final long again = add(Entries.newTerm(3, 0, position));
        add(Entries.newTerm(4, 0, position));
        add(Entries.timer(4));
        final long older = add(Entries.timer(3));
        add(new byte[]{ 1 });

        assertThat(findings.kept()).extracting(AuditReport.Finding::kind).containsOnly(FindingKind.MISPLACED);
        assertThat(findings.kept()).extracting(AuditReport.Finding::position).containsExactly(newer, again, older);
        assertThat(findings.kept().get(0).text()).isEqualTo(
            "the entry at position " + newer + " belongs to leadership term 4 but is in term 3");
    }

    @Test
    void shouldFindEntriesThatStateAnotherPosition()
    {
        begin(0);
        final byte[] action = Entries.action(5, position + 32);
        final long actionPosition = add(action);
        assertFinding(
            FindingKind.MISPLACED, actionPosition,
            "the entry at position 0 states position " + (32 + Entries.room(action)));

        final long termPosition = add(Entries.newTerm(6, 0, 0));
        assertThat(findings.kept()).hasSize(2);
        assertThat(findings.kept().get(1).position()).isEqualTo(termPosition);
        assertThat(findings.kept().get(1).text()).contains(" states position 0 to ");
    }

    @Test
    void shouldFindAnEntryThatStatesPositionZero()
    {
        begin(START);
        final byte[] term = Entries.newTerm(5, 0, -Entries.room(Entries.newTerm(5, 0, 0)));

        final long termPosition = add(term);

        assertThat(findings.kept()).singleElement().extracting(AuditReport.Finding::kind, AuditReport.Finding::position)
            .containsExactly(FindingKind.MISPLACED, termPosition);
    }

    @Test
    void shouldCountTruncatedMessages()
    {
        begin(0);
        replay.onTruncatedFragment(64, true);
        assertThat(findings.kept()).isEmpty();
        replay.onTruncatedFragment(128, false);

        assertThat(audit().cutMessages()).isEqualTo(2);
        assertFinding(FindingKind.MISPLACED, 128, "fragments at position 128 do not form a complete message");
    }

    @Test
    void shouldStartFromALaterSnapshot()
    {
        position = START;
        final long snapshotPosition = START + Entries.room(plain(8));
        final MemberState.Client known = new MemberState.Client(CLIENT, 8, 9, 0xabc);
        begin(
            START,
            (journal) ->
            {
                for (int i = 0; i < 11; i++)
                {
                    sent(journal, i);
                }
            },
            new MemberState(0, 64, 1, 1, List.of()),
            new MemberState(1, snapshotPosition, 9, 0xdef, List.of(known)),
            new MemberState(2, snapshotPosition, 9, 0xdef, List.of(known)));
        assertThat(replay.isApplying).isFalse();

        add(plain(8));
        assertThat(replay.isApplying).isTrue();
        assertThat(audit().applied()).isEqualTo(9);
        assertThat(checksum()).isEqualTo(0xdef);
        assertThat(journals.client(CLIENT).copyCount(8)).isEqualTo(1);
        assertThat(journals.client(CLIENT).is(8, Fact.APPLIED)).isFalse();
        add(plain(9));
        add(plain(9));

        final AuditedClient client = journals.client(CLIENT);
        assertThat(client.firstSequence).isEqualTo(9);
        assertThat(client.lastSequence).isEqualTo(9);
        assertThat(client.appliedCount).isEqualTo(10);
        assertThat(client.checksum).isEqualTo(RunningChecksum.next(0xabc, 9, Entries.check(plain(9))));
        assertThat(findings.kept()).extracting(AuditReport.Finding::kind).as("a copy too many")
            .containsExactly(FindingKind.SURPLUS);
        assertThat(findings.notes()).singleElement().asString()
            .contains("the state up to position " + snapshotPosition + " comes from a snapshot");
        add(plain(3));
        assertThat(findings.kept()).as("a duplicate of a message before the log").hasSize(1);
    }

    @Test
    void shouldProvePurgedMessagesByTheChecksumOfASnapshot()
    {
        final long checksum = RunningChecksum.next(
            RunningChecksum.next(0, 0, Entries.check(plain(0))), 1, Entries.check(plain(1)));
        beginAfterPurge(2, new MemberState.Client(CLIENT, 1, 2, checksum));
        assertThat(findings.kept()).isEmpty();
        assertThat(journals.client(CLIENT).isSnapshotProven).isTrue();
    }

    @Test
    void shouldNotClaimProofForPurgedMessagesThatASnapshotOnlyCounts()
    {
        beginAfterPurge(1, new MemberState.Client(CLIENT, 1, 2, 0xabc));
        assertThat(findings.kept()).as("the second was not answered, so the checksum is unknown").isEmpty();
        assertThat(journals.client(CLIENT).isSnapshotProven).isFalse();
    }

    @Test
    void shouldFindAnotherHistoryInASnapshot()
    {
        beginAfterPurge(2, new MemberState.Client(CLIENT, 1, 2, 0xabc));
        assertThat(findings.kept()).singleElement().satisfies((finding) ->
        {
            assertThat(finding.kind()).isEqualTo(FindingKind.STATE_DIFFERS);
            assertThat(finding.memberId()).isEqualTo(1);
            assertThat(finding.text()).contains("that is not that of its acknowledged messages");
        });
        assertThat(journals.client(CLIENT).isSnapshotProven).isFalse();
    }

    @Test
    void shouldFindThatASnapshotCountsTooFewPurgedMessages()
    {
        beginAfterPurge(2, new MemberState.Client(CLIENT, 4, 1, 0xabc));
        assertFinding(
            FindingKind.LOST, START, "has 1 applied messages of client 77, but 2 of those were acknowledged");
        assertThat(journals.client(CLIENT).missingCount).isEqualTo(1);
    }

    private void beginAfterPurge(final int acknowledgedCount, final MemberState.Client state)
    {
        position = START;
        begin(
            START,
            (journal) ->
            {
                for (int i = 0; i < acknowledgedCount; i++)
                {
                    acknowledged(journal, plain(i), i);
                }
            },
            new MemberState(1, START, 2, 1, List.of(state)));
    }

    @Test
    void shouldNotApplyATrimmedLogWithoutASnapshot()
    {
        position = START;
        begin(START, (journal) -> { }, new MemberState(1, START + 32, 9, 1, List.of()));
        add(plain(0));
        add(plain(2));

        assertThat(replay.isApplying).isFalse();
        assertThat(audit().applied()).isZero();
        assertThat(audit().gaps()).isZero();
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldCompareSnapshotsWithTheReplayedState()
    {
        final long checksum = checksumOf(plain(0));
        final long ofClient = RunningChecksum.next(0, 0, Entries.check(plain(0)));
        final MemberState.Client right = new MemberState.Client(CLIENT, 0, 1, ofClient);

        assertThat(difference(1, checksum, right)).isNull();
        assertThat(difference(2, checksum, right)).isEqualTo("has 2 applied messages, the log has 1");
        assertThat(difference(1, checksum + 1, right)).isEqualTo("has the 1 applied messages of the log, but another checksum");
        final String other = "has a different state of client 77";
        assertThat(difference(1, checksum, new MemberState.Client(CLIENT, 1, 1, ofClient))).isEqualTo(other);
        assertThat(difference(1, checksum, new MemberState.Client(CLIENT, 0, 2, ofClient))).isEqualTo(other);
        assertThat(difference(1, checksum, new MemberState.Client(CLIENT, 0, 1, ofClient + 1))).isEqualTo(other);
        assertThat(difference(1, checksum, right, new MemberState.Client(OTHER_CLIENT, 0, 1, ofClient)))
            .isEqualTo("has a different state of client 78");
    }

    @Test
    void shouldFindASnapshotWithinAnEntry()
    {
        begin(0, (journal) -> { }, new MemberState(2, 32, 1, 1, List.of()));
        add(plain(0));

        assertThat(findings.kept()).singleElement().extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId)
            .containsExactly(FindingKind.STATE_DIFFERS, 2);
        assertThat(findings.kept().get(0).text())
            .isEqualTo("the snapshot of member 2 at position 32 is within an entry");
    }

    @Test
    void shouldLoadASnapshotAtItsOwnPositionOnly()
    {
        position = START;
        final long snapshotPosition = START + Entries.room(plain(0));
        begin(
            START, (journal) -> { }, new MemberState(0, START, 1, 5, null),
            new MemberState(1, snapshotPosition - 32, 1, 7, List.of()), new MemberState(1, snapshotPosition, 9, 8, List.of()));
        assertThat(replay.isApplying).as("from a digest").isFalse();
        add(plain(0));
        assertThat(replay.isApplying).isTrue();
        assertThat(audit().applied()).isEqualTo(9);
        assertThat(checksum()).isEqualTo(8);
        assertThat(replay.checkedCount(0)).isZero();
        assertThat(findings.kept()).isEmpty();
    }

    @Test
    void shouldNotLoadASnapshotWithinAnEntry()
    {
        position = START;
        begin(START, (journal) -> { }, new MemberState(1, START + 32, 9, 8, List.of()));
        add(plain(0));
        assertThat(replay.isApplying).isFalse();
    }

    @Test
    void shouldFindStatesBeyondTheCommittedLogTheSnapshotsFirst()
    {
        begin(
            0, (journal) -> { }, new MemberState(0, 32, 1, 5, null), new MemberState(1, 32, 1, 5, List.of()),
            new MemberState(2, 64, 1, 5, null));
        replay.onEnd(0, List.of(), Map.of());
        assertThat(findings.kept()).extracting(AuditReport.Finding::memberId).containsExactly(1, 0, 2);
    }

    @Test
    void shouldNotFindStatesThatOnlyAnIntactLogReachesWhileAnotherIsDamaged()
    {
        begin(
            0, (journal) -> { }, new MemberState(1, 64, 1, 5, null), new MemberState(2, 64, 1, 5, null),
            new MemberState(0, 64, 1, 5, null));
        replay.onEnd(32, List.of(0), Map.of(1, 64L, 2, 63L));
        assertThat(findings.kept()).extracting(AuditReport.Finding::memberId).containsExactly(2, 0);
        assertThat(findings.notes()).singleElement().asString()
            .startsWith("1 states of member 1 beyond position 32 were not checked").endsWith("the log of member 0 is damaged");
    }

    private String difference(final long appliedCount, final long checksum, final MemberState.Client... clients)
    {
        position = 0;
        final long snapshotPosition = Entries.room(plain(0));
        final int count = findings.kept().size();
        begin(0, (journal) -> { }, new MemberState(2, snapshotPosition, appliedCount, checksum, List.of(clients)));
        add(plain(0));
        if (count == findings.kept().size())
        {
            return null;
        }

        final AuditReport.Finding finding = findings.kept().get(count);
        assertThat(finding.kind()).isEqualTo(FindingKind.STATE_DIFFERS);
        assertThat(finding.memberId()).isEqualTo(2);
        assertThat(finding.position()).isEqualTo(snapshotPosition);
        final String begin = "the snapshot of member 2 at position " + snapshotPosition + " ";
        assertThat(finding.text()).startsWith(begin);
        return finding.text().substring(begin.length());
    }

    private long checksumOf(final byte[] first)
    {
        position = 0;
        begin(0);
        add(first);
        return checksum();
    }

    private void begin(final long startPosition)
    {
        journals = AuditedClients.read(List.of(), null, findings);
        position = startPosition;
        replay = new Replay(startPosition, journals, List.of(), findings);
    }

    private void begin(final long startPosition, final Consumer<Journal> clients, final MemberState... snapshots)
    {
        final Path file = folder.resolve("journal-" + journalCount++);
        try (Journal journal = new Journal(file, 0))
        {
            clients.accept(journal);
        }
        journals = AuditedClients.read(List.of(file), null, findings);
        replay = new Replay(startPosition, journals, List.of(snapshots), findings);
    }

    private static void sent(final Journal journal, final long sequence)
    {
        journal.onSent(CLIENT, sequence, 0);
    }

    private static void acknowledged(final Journal journal, final byte[] message, final long sequence)
    {
        journal.onReply(CLIENT, sequence, Entries.check(message), EchoResponseEncoder.TEMPLATE_ID, 0);
    }

    private long checksum()
    {
        return Long.parseUnsignedLong(audit().checksum(), 16);
    }

    private AuditReport.Log audit()
    {
        return replay.audit(position, 1);
    }

    /** @return the position at which it begins. */
    private long add(final byte[] bytes)
    {
        final long begin = position;
        position += Entries.room(bytes);
        replay.onEntry(LogEntry.decode(new UnsafeBuffer(bytes), 0, bytes.length, begin, position));
        return begin;
    }

    private static byte[] plain(final long sequence)
    {
        return Entries.message(TERM, PLAIN, CLIENT, sequence);
    }

    private static byte[] ordered(final long sequence)
    {
        return Entries.message(TERM, ORDERED, CLIENT, sequence);
    }

    private static long fold(final long previous, final long value)
    {
        return RunningChecksum.fold(previous, value);
    }

    private void assertFinding(final FindingKind kind, final long findingPosition, final String text)
    {
        assertThat(findings.kept()).singleElement()
            .extracting(AuditReport.Finding::kind, AuditReport.Finding::memberId, AuditReport.Finding::position)
            .containsExactly(kind, AuditReport.Finding.ALL_MEMBERS, findingPosition);
        assertThat(findings.kept().get(0).text()).contains(text);
    }
}
