package io.clusterecho.failover.audit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.clusterecho.failover.audit.AuditedClient.Fact;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.CloseHelper;

/**
 * Compares the recorded logs of a cluster's members with each other and with the journals of clients. Members may be stopped,
 * killed or running.
 * <p>
 * For a running cluster the audit covers what was acknowledged and applied when it began: it reads journals and state digests
 * before logs.
 */
public final class Auditor
{
    /** What became of a message: acknowledged ones first. */
    private enum Fate
    {
        APPLIED,
        IN_SNAPSHOT,
        PURGED,
        LOST,
        UNANSWERED_IN_LOG,
        UNANSWERED_PURGED,
        UNANSWERED_IN_TAIL,
        UNANSWERED_LOST
    }

    private final List<MemberLog> logs = new ArrayList<>();
    private final List<MemberState> digests = new ArrayList<>();
    private final AuditFindings findings = new AuditFindings();
    private final AuditedClients clients;
    private final PayloadCheck payloadCheck = new PayloadCheck();

    private Auditor(final List<Path> journals, final RequestIndex requests)
    {
        clients = AuditedClients.read(journals, requests, findings);
    }

    /** As {@link #audit(List, List, RequestIndex)}, with the messages of the run in whose result folder the journals are. */
    public static AuditReport audit(final List<Path> memberDirs, final List<Path> journals)
    {
        return audit(memberDirs, journals, RequestIndex.of(journals));
    }

    /**
     * Audit a cluster. Only reads files. May be called on any thread.
     *
     * @param memberDirs one folder for each member of the cluster, containing {@code archive} and {@code cluster}. The majority
     *                   is a majority of these, so include the folder of a member that lost its data.
     * @param journals   of the clients; if empty, the members' logs are only compared with each other.
     * @param requests   of a load for another service than the echo, else null.
     * @throws InvalidSettingException if a folder does not exist, two belong to the same member, a journal cannot be read, or
     *                                 two requests have the same bytes.
     */
    public static AuditReport audit(final List<Path> memberDirs, final List<Path> journals, final RequestIndex requests)
    {
        InvalidSettingException.throwIf(memberDirs.isEmpty(), "no member folder was given: an audit needs at least one");

        final Auditor auditor = new Auditor(journals, requests);
        memberDirs.forEach((folder) ->
        {
            InvalidSettingException.throwIf(!Files.isDirectory(folder), "member folder " + folder + " does not exist");
            auditor.digests.addAll(MemberState.read(folder, memberDirs.indexOf(folder), auditor.findings));
        });
        final Set<Integer> memberIds = new HashSet<>();
        for (final Path folder : memberDirs)
        {
            final MemberLog log = MemberLog.open(folder, auditor.logs.size());
            InvalidSettingException.throwIf(
                !memberIds.add(log.memberId()),
                folder + " is the second folder of member " + log.memberId() + ": give one folder for each member");
            auditor.logs.add(log);
        }

        return auditor.run(journals.size());
    }

    private AuditReport run(final int journalCount)
    {
        final List<LogComparison.Walk> walks = new ArrayList<>();
        try
        {
            logs.forEach((log) -> open(log, walks));
            final LogComparison comparison = new LogComparison(walks, logs.size(), findings);
            final Replay replay = new Replay(
                comparison.position, clients, null == clients.requests ? states() : List.of(), findings);
            comparison.run(replay);
            walks.forEach(this::readRest);
            final List<Integer> damaged = Stream.concat(
                logs.stream().filter((log) -> null != log.problem()).map(MemberLog::memberId),
                walks.stream().filter(LogReader::isDamaged).map((walk) -> walk.memberId)).toList();
            replay.onEnd(
                comparison.position, damaged, walks.stream().filter((walk) -> !walk.isDamaged())
                .collect(Collectors.toMap((walk) -> walk.memberId, LogReader::position)));

            final AuditReport.Journal journal = account(journalCount, replay.startPosition, comparison.position);
            if (!replay.isApplying)
            {
                findings.add(FindingKind.UNREADABLE, replay.startPosition,
                    "the logs begin at position " + replay.startPosition + " and no snapshot contains the state before it");
            }
            return new AuditReport(
                members(walks, replay), replay.audit(comparison.position, logs.size() / 2 + 1), journal,
                findings.kept(), findings.counts(), findings.notes());
        }
        finally
        {
            CloseHelper.closeAll(walks);
        }
    }

    private void open(final MemberLog log, final List<LogComparison.Walk> walks)
    {
        if (null != log.problem())
        {
            findings.add(FindingKind.UNREADABLE, log.memberId(), AuditReport.Finding.NO_POSITION,
                "the log of member " + log.memberId() + " cannot be opened: " + log.problem());
        }
        else if (log.isEmpty())
        {
            findings.note("member " + log.memberId() + " has no log: it never ran, or was wiped and not restarted");
        }
        else
        {
            walks.add(new LogComparison.Walk(log.stream(), log.memberId(), findings));
        }
    }

    private List<MemberState> states()
    {
        final Stream<MemberState> ofSnapshots = logs.stream().flatMap((log) -> log.snapshots().stream()
            .map((snapshot) -> MemberState.read(log.memberId(), snapshot, findings)).filter(Objects::nonNull));
        return Stream.concat(ofSnapshots, digests.stream()).toList();
    }

    /** Read a member's uncommitted tail: its checksums are checked too, and a message in it is not lost on all members. */
    private void readRest(final LogComparison.Walk walk)
    {
        final LogComparison.EntryAssembler assembler = new LogComparison.EntryAssembler()
        {
            @Override
            void onEntry(final LogEntry entry)
            {
                final boolean isMessage = EntryKind.SESSION_MESSAGE == entry.kind();
                if (isMessage && null != clients.requests)
                {
                    final long number = clients.request(entry);
                    if (RequestIndex.NONE != number)
                    {
                        clients.client(clients.requests.clientId(number)).set(clients.requests.sequence(number), Fact.IN_TAIL);
                    }
                }
                else if (isMessage &&
                    EchoMessage.VALID == EchoMessage.validate(entry.buffer(), entry.offset(), entry.length(), payloadCheck))
                {
                    final AuditedClient client = clients.client(EchoMessage.clientId(entry.buffer(), entry.offset()));
                    final long sequence = EchoMessage.sequence(entry.buffer(), entry.offset());
                    if (null != client && client.hasJournal && sequence >= 0)
                    {
                        client.set(sequence, Fact.IN_TAIL);
                    }
                }
            }
        };
        while (walk.hasFrame)
        {
            if (LogComparison.Walk.State.TAIL == walk.state)
            {
                assembler.onFrame(walk);
            }
            walk.advance();
        }
    }

    private AuditReport.Journal account(final int journalCount, final long startPosition, final long committedPosition)
    {
        final long[] counts = new long[Fate.values().length];
        final List<AuditedClient> withJournal = clients.all().stream().filter((client) -> client.hasJournal).toList();
        for (final AuditedClient client : withJournal)
        {
            final long[] own = new long[counts.length];
            client.forEachSent((sequence) -> own[fate(client, sequence, committedPosition).ordinal()]++);
            // Which of them the snapshot lacks is unknown.
            final long lost = Math.min(client.missingCount, own[Fate.PURGED.ordinal()]);
            own[Fate.PURGED.ordinal()] -= lost;
            own[Fate.LOST.ordinal()] += lost;
            if (null != clients.requests && own[Fate.PURGED.ordinal()] > 0 &&
                0 == own[Fate.APPLIED.ordinal()] + own[Fate.LOST.ordinal()])
            {
                findings.add(FindingKind.UNREADABLE, startPosition,
                    "the logs begin at position " + startPosition + " and have none of the requests of client " +
                    client.clientId + " that were acknowledged");
            }
            Arrays.setAll(counts, (fate) -> counts[fate] + own[fate]);
        }

        final long sent = LongStream.of(counts).sum();
        return new AuditReport.Journal(
            journalCount, clients.isComplete, withJournal.size(), sent, Math.max(0, clients.attemptCount - sent),
            LongStream.of(counts).limit(Fate.UNANSWERED_IN_LOG.ordinal()).sum(), counts[Fate.APPLIED.ordinal()],
            counts[Fate.IN_SNAPSHOT.ordinal()], counts[Fate.PURGED.ordinal()], counts[Fate.LOST.ordinal()],
            clients.repeatedReplyCount, clients.appliedTwiceCount, counts[Fate.UNANSWERED_IN_LOG.ordinal()],
            counts[Fate.UNANSWERED_PURGED.ordinal()], counts[Fate.UNANSWERED_IN_TAIL.ordinal()],
            counts[Fate.UNANSWERED_LOST.ordinal()]);
    }

    private Fate fate(final AuditedClient client, final long sequence, final long committedPosition)
    {
        final boolean isInSnapshot = sequence >= client.purgedSequence && sequence < client.firstSequence;
        final boolean isInLog = client.copyCount(sequence) > 0 || client.is(sequence, Fact.APPLIED);
        if (!client.is(sequence, Fact.ACKNOWLEDGED))
        {
            return isInLog ? Fate.UNANSWERED_IN_LOG : isInSnapshot ? Fate.UNANSWERED_PURGED :
                client.is(sequence, Fact.IN_TAIL) ? Fate.UNANSWERED_IN_TAIL : Fate.UNANSWERED_LOST;
        }
        if (isInSnapshot)
        {
            // The log from the snapshot on need not have the message, but may, between its start and the snapshot.
            return isInLog ? Fate.APPLIED : client.isSnapshotProven ? Fate.IN_SNAPSHOT : Fate.PURGED;
        }
        if (!client.is(sequence, Fact.APPLIED) && !client.is(sequence, Fact.REPORTED))
        {
            reportLost(client, sequence, committedPosition);
        }
        return client.is(sequence, Fact.APPLIED) ? Fate.APPLIED : Fate.LOST;
    }

    private void reportLost(final AuditedClient client, final long sequence, final long committedPosition)
    {
        final long ownPosition = client.tooEarlyPositions.get(sequence);
        final long blockedPosition = client.firstTooEarlyPosition();
        final boolean isInLog = client.copyCount(sequence) > 0;
        final String reason = ownPosition >= 0 ?
            " is only at position " + ownPosition + ", before an earlier message, and so is rejected" :
            isInLog ? " is in the log of a majority up to position " + committedPosition + " but is never applied" :
            " is not in the log of a majority up to position " + committedPosition +
            (client.is(sequence, Fact.IN_TAIL) ? ", only in that of a minority" : "") +
            (blockedPosition >= 0 ? "; later messages from position " + blockedPosition + " on are rejected" : "");
        findings.add(
            FindingKind.LOST,
            ownPosition >= 0 ? ownPosition : !isInLog && blockedPosition >= 0 ? blockedPosition : committedPosition,
            "acknowledged message " + sequence + " of client " + client.clientId + reason);
    }

    private List<AuditReport.Member> members(final List<LogComparison.Walk> walks, final Replay replay)
    {
        return logs.stream().map((log) -> walks.stream().filter((walk) -> log.memberId() == walk.memberId).findFirst()
            .map((walk) -> member(log, walk, replay)).orElseGet(() -> new AuditReport.Member(
            log.memberId(), log.folder().toString(), false, false, 0, 0, 0, 0, 0, 0, 0, 0))).toList();
    }

    private static AuditReport.Member member(final MemberLog log, final LogComparison.Walk walk, final Replay replay)
    {
        return new AuditReport.Member(
            log.memberId(), log.folder().toString(), true, log.stream().isOpen(), walk.startPosition(), walk.position(),
            walk.entryCount, walk.badChecksumCount, walk.tailStart < 0 ? 0 : walk.position() - walk.tailStart,
            walk.tailEntryCount(), replay.snapshotCount(log.memberId()), replay.checkedCount(log.memberId()));
    }
}
