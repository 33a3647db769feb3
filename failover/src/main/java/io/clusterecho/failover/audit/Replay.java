package io.clusterecho.failover.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.clusterecho.failover.audit.AuditedClient.Fact;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.RunningChecksum;
import io.clusterecho.settings.Quantity;

/**
 * Applies the committed entries by the rules of the echo service, see {@code echo-schema.xml}, and compares each message with
 * its client's journal.
 * <p>
 * The effect of the first messages in a trimmed log depends on messages that are gone, so replay starts from the first snapshot.
 * The replay does not evict clients as the service does when there are too many: a cluster with more clients than the service
 * remembers cannot be audited.
 * <p>
 * Of another service than the echo only the log is known: each request in it counts as applied, and none is ever sent again.
 */
final class Replay extends LogComparison.EntryAssembler
{
    private static final long CLOCK_DIFFERENCE_MS = 1_000;

    /** Position from which on the log has every entry. */
    long startPosition;
    /** Whether entries are applied; false for a trimmed log without a snapshot. */
    boolean isApplying;

    private final AuditedClients clients;
    private final List<MemberState> states;
    private final AuditFindings findings;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final RequestIndex requests;
    private final Map<EntryKind, Long> entryCounts = new EnumMap<>(EntryKind.class);
    private final List<AuditReport.Log.Term> terms = new ArrayList<>();
    private final Map<Integer, Digests> digests = new HashMap<>();
    private int nextState;
    private long termId = LogEntry.NO_TERM;
    private long appliedCount;
    private long checksum;
    private long repeatedCount;
    private long tooEarlyCount;
    private long gapCount;
    private long refusedCount;
    private long truncatedCount;
    /** Longest time outside the journals, by the clock of a leader, at which a request of them was appended, in ms. */
    private long outsideMs;

    /**
     * State digests of one member. State depends on everything applied before, so once wrong it stays wrong: the error happened
     * between the last correct and the first wrong position.
     */
    private static final class Digests
    {
        private int checkedCount;
        private Long rightPosition;
        private boolean isWrong;
    }

    /** A replay with the states of members; snapshots are compared before the digests of a position if they precede them. */
    Replay(
        final long startPosition, final AuditedClients clients, final List<MemberState> states, final AuditFindings findings)
    {
        this.clients = clients;
        requests = clients.requests;
        this.states = states.stream().sorted(Comparator.comparingLong(MemberState::position)).toList();
        this.findings = findings;
        this.startPosition = startPosition;
        isApplying = 0 == startPosition || null != requests;
        Stream.of(EntryKind.values()).forEach((kind) -> entryCounts.put(kind, 0L));
        beginAt(startPosition);
    }

    @Override
    void onEntry(final LogEntry entry)
    {
        entryCounts.merge(entry.kind(), 1L, Long::sum);
        checkPosition(entry);
        if (EntryKind.NEW_TERM == entry.kind())
        {
            terms.add(new AuditReport.Log.Term(entry.termId(), entry.leaderMemberId(), entry.startPosition(), entry.timestamp()));
        }
        else if (EntryKind.SESSION_MESSAGE == entry.kind())
        {
            onMessage(entry);
        }
        else if (null != requests && EntryKind.SESSION_OPEN == entry.kind())
        {
            clients.onOpened((int)entry.sessionId());
        }
        onPosition(entry.position());
    }

    @Override
    void onTruncatedFragment(final long startPosition, final boolean isLegal)
    {
        truncatedCount++;
        if (!isLegal)
        {
            findings.add(FindingKind.MISPLACED, startPosition,
                "the fragments at position " + startPosition + " do not form a complete message");
        }
    }

    /** No log has the entries between two positions; the state after them is unknown until a snapshot contains it. */
    @Override
    void onGap(final long endPosition, final long nextPosition)
    {
        super.onGap(endPosition, nextPosition);
        findings.note(
            "no log has the positions from " + endPosition + " to " + nextPosition +
            ": the logs that begin later were purged, and the others end before");
        startPosition = nextPosition;
        isApplying = null != requests;
        termId = LogEntry.NO_TERM;
        beginAt(nextPosition);
    }

    private void beginAt(final long position)
    {
        if (null != requests && position > 0)
        {
            findings.note("requests that only the log before position " + position + " had cannot be found: it was purged");
            clients.all().forEach((client) ->
            {
                final boolean isKnown = clients.isComplete && 0 == client.firstSequence;
                client.purgedSequence = isKnown ? client.lastSequence + 1 : client.purgedSequence;
                client.firstSequence = Long.MAX_VALUE;
            });
        }
        // States before it were taken from what was purged.
        while (nextState < states.size() && states.get(nextState).position() < position)
        {
            nextState++;
        }
        onPosition(position);
    }

    /**
     * The committed log was replayed. A state beyond its end contains what was lost. It proves nothing against its member if its
     * own log is intact and has that position: the committed log ends early because the logs of others are damaged.
     *
     * @param damaged    members with damaged logs.
     * @param intactEnds end of each intact log, by member id.
     */
    void onEnd(final long committedPosition, final List<Integer> damaged, final Map<Integer, Long> intactEnds)
    {
        if (null != requests)
        {
            findings.note(
                "the service is not the echo: the logs show whether each acknowledged request is committed, once, in the same " +
                "order on all members. They do not show the state of the service, whether it applied a request once, or what " +
                "its replies contain. 'applied' counts requests of the journals, 'rejected' those of other loads and services");
        }
        if (outsideMs > CLOCK_DIFFERENCE_MS)
        {
            // No proof that they are of another load: clocks of leaders and clients may differ, and be stepped.
            findings.note(
                "by the clocks of leaders, requests were appended up to " + Quantity.formatNs(1e6 * outsideMs) +
                " before the load began or after it ended: clocks differ or were stepped, or the log is that of another " +
                "cluster, which had the same load");
        }
        final SortedMap<Integer, Integer> unproven = new TreeMap<>();
        final List<MemberState> beyond = new ArrayList<>(states.subList(nextState, states.size()));
        beyond.sort(Comparator.comparing(MemberState::isSnapshot).reversed());
        for (final MemberState state : beyond)
        {
            if (!damaged.isEmpty() && intactEnds.getOrDefault(state.memberId(), -1L) >= state.position())
            {
                unproven.merge(state.memberId(), 1, Integer::sum);
            }
            else if (state.isSnapshot())
            {
                findings.add(FindingKind.STATE_DIFFERS, state.memberId(), state.position(),
                    "member " + state.memberId() + " took a snapshot at position " + state.position() +
                    ", but the log is committed only up to position " + committedPosition);
            }
            else
            {
                onWrong(state, "the log is committed only up to position " + committedPosition);
            }
        }
        unproven.forEach((memberId, count) -> findings.note(
            count + " states of member " + memberId + " beyond position " + committedPosition +
            " were not checked: no majority has the log there, because the log of member " + damaged.get(0) + " is damaged"));
    }

    /** State digests of a member that were compared with the log. */
    int checkedCount(final int memberId)
    {
        return digests(memberId).checkedCount;
    }

    int snapshotCount(final int memberId)
    {
        return (int)states.stream().filter((state) -> state.isSnapshot() && memberId == state.memberId()).count();
    }

    private Digests digests(final int memberId)
    {
        return digests.computeIfAbsent(memberId, (id) -> new Digests());
    }

    /** What the log contains, up to its committed position in bytes on a majority of this many members. */
    AuditReport.Log audit(final long committedPosition, final int majority)
    {
        final List<AuditReport.Log.Client> audits = clients.all().stream().filter((client) -> client.isReplayed)
            .map((client) -> new AuditReport.Log.Client(
                client.clientId, client.appliedCount, client.lastSequence, HexFormat.of().toHexDigits(client.checksum))).toList();
        return new AuditReport.Log(
            committedPosition, majority, new EnumMap<>(entryCounts), appliedCount, repeatedCount, tooEarlyCount, gapCount,
            refusedCount, truncatedCount, HexFormat.of().toHexDigits(checksum), List.copyOf(terms), audits, null != requests);
    }

    private void checkPosition(final LogEntry entry)
    {
        if (entry.statedPosition() >= 0 && entry.statedPosition() != entry.position() ||
            entry.statedStartPosition() >= 0 && entry.statedStartPosition() != entry.startPosition())
        {
            findings.add(FindingKind.MISPLACED, entry.startPosition(),
                "the entry at position " + entry.startPosition() + " states position " +
                (entry.statedStartPosition() >= 0 ? entry.statedStartPosition() + " to " : "") + entry.statedPosition());
        }

        if (LogEntry.NO_TERM == entry.termId())
        {
            return;
        }
        final boolean isFitting = LogEntry.NO_TERM == termId ||
            (EntryKind.NEW_TERM == entry.kind() ? entry.termId() > termId : entry.termId() == termId);
        if (!isFitting)
        {
            findings.add(FindingKind.MISPLACED, entry.startPosition(),
                "the entry at position " + entry.startPosition() + " belongs to leadership term " + entry.termId() +
                " but is in term " + termId);
        }
        if (EntryKind.NEW_TERM == entry.kind() || LogEntry.NO_TERM == termId)
        {
            termId = entry.termId();
        }
    }

    private void onMessage(final LogEntry entry)
    {
        if (null != requests)
        {
            onRequest(entry, clients.request(entry));
            return;
        }
        final int verdict = EchoMessage.validate(entry.buffer(), entry.offset(), entry.length(), payloadCheck);
        if (EchoMessage.VALID != verdict)
        {
            refusedCount++;
            if (EchoMessage.CORRUPT == verdict)
            {
                findings.add(FindingKind.ALTERED, entry.startPosition(),
                    "the message at position " + entry.startPosition() + " does not match its own check");
            }
            return;
        }

        final int templateId = EchoMessage.templateId(entry.buffer(), entry.offset());
        final boolean isOrdered = EchoMessage.isOrdered(templateId);
        final long sequence = EchoMessage.sequence(entry.buffer(), entry.offset());
        if (!EchoMessage.isRequest(templateId) || sequence < 0)
        {
            refusedCount++;
            return;
        }

        final AuditedClient client = clients.replayed(EchoMessage.clientId(entry.buffer(), entry.offset()));
        final int check = EchoMessage.check(entry.buffer(), entry.offset());
        if (client.hasJournal)
        {
            checkJournal(client, sequence, check, entry.startPosition());
        }
        if (isApplying)
        {
            apply(client, sequence, check, isOrdered, entry);
        }
    }

    private void onRequest(final LogEntry entry, final long number)
    {
        if (RequestIndex.NONE == number)
        {
            refusedCount++;
            return;
        }

        final AuditedClient client = clients.replayed(requests.clientId(number));
        final long sequence = requests.sequence(number);
        // Others may be of another load with the same requests: they are neither copies nor proof of what was not purged.
        if (clients.isOfLoad(entry))
        {
            // Not from a lower one that follows: after a partition the requests of an earlier session may come last.
            client.firstSequence = sequence < client.purgedSequence || Long.MAX_VALUE != client.firstSequence ?
                client.firstSequence : sequence;
            outsideMs = Math.max(outsideMs, clients.outsideMs(entry.timeMs()));
            checkJournal(client, sequence, client.check(sequence), entry.startPosition());
            clients.appliedTwiceCount += client.copyCount(sequence) > 1 ? 1 : 0;
        }
        if (!client.is(sequence, Fact.APPLIED))
        {
            appliedCount++;
            client.onApplied(sequence);
        }
    }

    private void checkJournal(final AuditedClient client, final long sequence, final int check, final long position)
    {
        if (client.is(sequence, Fact.ACKNOWLEDGED) && client.check(sequence) != check)
        {
            findings.add(FindingKind.ALTERED, position,
                "message " + sequence + " of client " + client.clientId + " at position " + position +
                " is not the one that was acknowledged");
        }

        final int copyCount = client.onCopy(sequence);
        final int sendCount = client.sendCount(sequence);
        if ((clients.isComplete || null != requests) && copyCount > sendCount)
        {
            findings.add(FindingKind.SURPLUS, position,
                "message " + sequence + " of client " + client.clientId + " was sent " + sendCount +
                " times, but position " + position + " is copy " + copyCount + " of it");
        }
    }

    private void apply(
        final AuditedClient client, final long sequence, final int check, final boolean isOrdered, final LogEntry entry)
    {
        final long position = entry.startPosition();
        if (sequence <= client.lastSequence)
        {
            repeatedCount++;
            if (client.hasJournal && sequence >= client.firstSequence && !client.is(sequence, Fact.APPLIED))
            {
                findings.add(FindingKind.OUT_OF_ORDER, position,
                    "message " + sequence + " of client " + client.clientId + " at position " + position +
                    " follows message " + client.lastSequence);
            }
            return;
        }

        if (sequence != client.lastSequence + 1)
        {
            if (isOrdered)
            {
                tooEarlyCount++;
                client.onTooEarly(sequence, position);
                return;
            }
            gapCount++;
            checkGap(client, sequence, position);
        }

        client.onApplied(sequence);
        client.checksum = RunningChecksum.next(client.checksum, sequence, check);
        appliedCount++;
        checksum = RunningChecksum.fold(
            RunningChecksum.fold(RunningChecksum.fold(checksum, client.clientId), client.checksum), entry.position());
    }

    private void checkGap(final AuditedClient client, final long sequence, final long position)
    {
        for (long missing = client.lastSequence + 1; client.hasJournal && missing < sequence; missing++)
        {
            if (client.is(missing, Fact.ACKNOWLEDGED))
            {
                findings.add(FindingKind.LOST, position,
                    "acknowledged message " + missing + " of client " + client.clientId + " is missing before position " +
                    position + ", where message " + sequence + " is");
                client.set(missing, Fact.REPORTED);
            }
        }
    }

    private void onPosition(final long position)
    {
        final int first = nextState;
        while (nextState < states.size() && states.get(nextState).position() <= position)
        {
            nextState++;
        }
        final List<MemberState> reached = states.subList(first, nextState);
        final MemberState loaded = isApplying ? null : reached.stream()
            .filter((state) -> state.isSnapshot() && state.position() == position).findFirst().orElse(null);
        if (null != loaded)
        {
            load(loaded);
        }
        if (isApplying)
        {
            // Of snapshots those after the one that was loaded: it is not compared with itself.
            reached.stream().filter((state) -> !state.isSnapshot() || reached.indexOf(state) > reached.indexOf(loaded))
                .forEach((state) -> check(state, position));
        }
    }

    private void load(final MemberState snapshot)
    {
        isApplying = true;
        appliedCount = snapshot.appliedCount();
        checksum = snapshot.checksum();
        // After a gap in the logs: what was applied before it and is not in the snapshot is lost.
        final Map<Long, Long> kept = new HashMap<>();
        snapshot.clients().forEach((client) -> kept.put(client.clientId(), client.lastSequence()));
        clients.all().forEach((client) -> client.keep(kept.getOrDefault(client.clientId, AuditedClient.NO_SEQUENCE)));
        snapshot.clients().forEach(
            (state) ->
            {
                final AuditedClient client = clients.replayed(state.clientId());
                client.lastSequence = state.lastSequence();
                client.firstSequence = state.lastSequence() + 1;
                client.appliedCount = state.appliedCount();
                client.checksum = state.checksum();
                if (client.hasJournal)
                {
                    checkPurged(client, snapshot);
                }
            });
        findings.note(
            "the log was trimmed: the state up to position " + snapshot.position() +
            " comes from a snapshot, and messages before it are only compared with its counts and checksums");
    }

    /**
     * Compare the state of a client in the first snapshot with its journal. With a reply to each of its messages, the checksum
     * proves that exactly these were applied, in their order; else only their number can be compared.
     */
    private void checkPurged(final AuditedClient client, final MemberState snapshot)
    {
        long acknowledgedCount = 0;
        long expected = 0;
        for (long sequence = 0; sequence <= client.lastSequence; sequence++)
        {
            if (client.is(sequence, Fact.ACKNOWLEDGED))
            {
                acknowledgedCount++;
                expected = RunningChecksum.next(expected, sequence, client.check(sequence));
            }
        }

        final boolean isEachAcknowledged = acknowledgedCount == client.lastSequence + 1;
        client.isSnapshotProven = isEachAcknowledged && expected == client.checksum;
        if (acknowledgedCount > client.appliedCount)
        {
            client.missingCount = acknowledgedCount - client.appliedCount;
            findings.add(FindingKind.LOST, snapshot.position(),
                "the snapshot at position " + snapshot.position() + " has " + client.appliedCount +
                " applied messages of client " + client.clientId + ", but " + acknowledgedCount + " of those were acknowledged");
        }
        else if (isEachAcknowledged && !client.isSnapshotProven)
        {
            findings.add(FindingKind.STATE_DIFFERS, snapshot.memberId(), snapshot.position(),
                "the snapshot of member " + snapshot.memberId() + " at position " + snapshot.position() +
                " has a checksum of client " + client.clientId + " that is not that of its acknowledged messages");
        }
    }

    private void check(final MemberState state, final long position)
    {
        final String difference = difference(state, position);
        if (state.isSnapshot())
        {
            if (null != difference)
            {
                findings.add(FindingKind.STATE_DIFFERS, state.memberId(), position,
                    "the snapshot of member " + state.memberId() + " at position " + state.position() + " " + difference);
            }
            return;
        }

        final Digests ofMember = digests(state.memberId());
        ofMember.checkedCount++;
        if (null != difference)
        {
            onWrong(state, difference);
        }
        else if (!ofMember.isWrong)
        {
            ofMember.rightPosition = position;
        }
    }

    /** How a state differs from that of the log, or null: worded to follow "the snapshot" or "but". */
    private String difference(final MemberState state, final long position)
    {
        final boolean isSnapshot = state.isSnapshot();
        if (state.position() != position)
        {
            return isSnapshot ? "is within an entry" : "that is within an entry";
        }
        if (state.appliedCount() != appliedCount)
        {
            return isSnapshot ? "has " + state.appliedCount() + " applied messages, the log has " + appliedCount :
                "the log has " + appliedCount;
        }
        if (state.checksum() != checksum)
        {
            return isSnapshot ? "has the " + appliedCount + " applied messages of the log, but another checksum" :
                "its checksum differs from that of the log";
        }
        return !isSnapshot ? null : state.clients().stream()
            .filter((client) -> !isSame(client, clients.client(client.clientId())))
            .map((client) -> "has a different state of client " + client.clientId()).findFirst().orElse(null);
    }

    private static boolean isSame(final MemberState.Client state, final AuditedClient client)
    {
        return null != client && client.isReplayed && client.lastSequence == state.lastSequence() &&
            client.checksum == state.checksum() && client.appliedCount == state.appliedCount();
    }

    private void onWrong(final MemberState digest, final String reason)
    {
        final Digests ofMember = digests(digest.memberId());
        if (ofMember.isWrong)
        {
            findings.count(FindingKind.STATE_DIFFERS);
            return;
        }

        ofMember.isWrong = true;
        findings.add(FindingKind.STATE_DIFFERS, digest.memberId(), digest.position(),
            "member " + digest.memberId() + " had applied " + digest.appliedCount() + " messages at position " +
            digest.position() + ", but " + reason +
            (null == ofMember.rightPosition ? "" : "; its state was last correct at position " + ofMember.rightPosition));
    }
}
