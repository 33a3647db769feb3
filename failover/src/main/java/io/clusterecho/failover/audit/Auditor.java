package io.clusterecho.failover.audit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
    private final List<MemberLog> logs;
    private final StateCheck states;
    private final Findings findings;
    private final PayloadCheck payloadCheck = new PayloadCheck();

    private Auditor(final List<MemberLog> logs, final StateCheck states, final Findings findings)
    {
        this.logs = logs;
        this.states = states;
        this.findings = findings;
    }

    /**
     * Audit a cluster. Only reads files. May be called on any thread.
     *
     * @param memberDirs one folder for each member of the cluster, containing {@code archive} and {@code cluster}. The majority
     *                   is a majority of these, so include the folder of a member that lost its data.
     * @param journals   of the clients; if empty, the members' logs are only compared with each other.
     * @throws InvalidSettingException if a folder does not exist, two belong to the same member, or a journal cannot be read.
     */
    public static AuditReport audit(final List<Path> memberDirs, final List<Path> journals)
    {
        if (memberDirs.isEmpty())
        {
            throw new InvalidSettingException("no member folder was given: an audit needs at least one");
        }

        final List<MemberLog> logs = new ArrayList<>();
        final Set<Integer> memberIds = new HashSet<>();
        final Findings findings = new Findings();
        final JournalIndex index = JournalIndex.read(journals, findings);
        final List<MemberState> states = new ArrayList<>();
        for (final Path folder : memberDirs)
        {
            if (!Files.isDirectory(folder))
            {
                throw new InvalidSettingException("member folder " + folder + " does not exist");
            }
            states.addAll(MemberState.read(folder, memberDirs.indexOf(folder), findings));
        }
        for (final Path folder : memberDirs)
        {
            final MemberLog log = MemberLog.open(folder, logs.size());
            if (!memberIds.add(log.memberId()))
            {
                throw new InvalidSettingException(
                    folder + " is the second folder of member " + log.memberId() + ": give one folder for each member");
            }
            logs.add(log);
        }

        return new Auditor(logs, new StateCheck(states, findings), findings).run(index, journals.size());
    }

    private AuditReport run(final JournalIndex journals, final int journalCount)
    {
        final List<MemberWalk> walks = new ArrayList<>();
        try
        {
            logs.forEach((log) -> open(log, walks));
            final long startPosition = walks.stream().mapToLong((walk) -> walk.reader().startPosition()).min().orElse(0);
            final List<SnapshotState> snapshots = readSnapshots();
            final Replay replay = new Replay(startPosition, journals, snapshots, states, findings);
            final LogComparison comparison = new LogComparison(walks, logs.size(), findings);
            comparison.run(new EntryAssembler(replay));
            walks.forEach((walk) -> readRest(walk, journals));
            final Unproven unproven = unproven(walks, comparison.committedPosition());
            replay.onEnd(comparison.committedPosition(), unproven);
            states.onEnd(comparison.committedPosition(), unproven);
            unproven.report(findings);

            if (!replay.isApplying())
            {
                findings.add(
                    FindingKind.UNREADABLE, AuditFinding.ALL_MEMBERS, replay.startPosition(),
                    "the logs begin at position " + replay.startPosition() + " and no snapshot contains the state before it");
            }
            final JournalAudit journal = classify(journals, journalCount, replay, comparison.committedPosition());
            return new AuditReport(
                members(walks, snapshots), log(replay, comparison.committedPosition()), journal, findings.kept(),
                findings.counts(), findings.notes());
        }
        finally
        {
            walks.forEach((walk) -> CloseHelper.close(walk.reader()));
        }
    }

    private void open(final MemberLog log, final List<MemberWalk> walks)
    {
        if (null != log.problem())
        {
            findings.add(
                FindingKind.UNREADABLE, log.memberId(), AuditFinding.NO_POSITION,
                "the log of member " + log.memberId() + " cannot be opened: " + log.problem());
        }
        else if (log.isEmpty())
        {
            findings.note("member " + log.memberId() + " has no log: it never ran, or was wiped and not restarted");
        }
        else
        {
            final String name = "the log of member " + log.memberId();
            walks.add(new MemberWalk(log.memberId(), new LogReader(log.stream(), log.memberId(), name, findings)));
        }
    }

    private Unproven unproven(final List<MemberWalk> walks, final long committedPosition)
    {
        final List<Integer> damaged = new ArrayList<>();
        final Map<Integer, Long> intactEnds = new HashMap<>();
        logs.stream().filter((log) -> null != log.problem()).forEach((log) -> damaged.add(log.memberId()));
        for (final MemberWalk walk : walks)
        {
            if (walk.reader().isDamaged())
            {
                damaged.add(walk.memberId());
            }
            else
            {
                intactEnds.put(walk.memberId(), walk.reader().position());
            }
        }

        return new Unproven(committedPosition, damaged, intactEnds);
    }

    private List<SnapshotState> readSnapshots()
    {
        final List<SnapshotState> snapshots = new ArrayList<>();
        for (final MemberLog log : logs)
        {
            for (final MemberLog.Snapshot snapshot : log.snapshots())
            {
                final SnapshotState state = SnapshotState.read(log.memberId(), snapshot, findings);
                if (null == state)
                {
                    findings.note(
                        "the snapshot at position " + snapshot.logPosition() + " of member " + log.memberId() +
                        " contains no state of the echo service");
                }
                else
                {
                    snapshots.add(state);
                }
            }
        }
        snapshots.sort(Comparator.comparingLong(SnapshotState::logPosition));

        return snapshots;
    }

    /** Read a member's uncommitted tail: its checksums are checked too, and a message in it is not lost on all members. */
    private void readRest(final MemberWalk walk, final JournalIndex journals)
    {
        final EntryAssembler assembler = new EntryAssembler((entry) -> onTailEntry(entry, journals));
        while (walk.hasFrame())
        {
            if (MemberWalk.State.TAIL == walk.state())
            {
                assembler.onFrame(walk.reader());
            }
            walk.advance();
        }
    }

    private void onTailEntry(final LogEntry entry, final JournalIndex journals)
    {
        if (EntryKind.SESSION_MESSAGE == entry.kind() &&
            EchoMessage.VALID == EchoMessage.validate(entry.buffer(), entry.offset(), entry.length(), payloadCheck))
        {
            final ClientJournal journal = journals.client(EchoMessage.clientId(entry.buffer(), entry.offset()));
            final long sequence = EchoMessage.sequence(entry.buffer(), entry.offset());
            if (null != journal && sequence >= 0)
            {
                journal.onTail(sequence);
            }
        }
    }

    private JournalAudit classify(
        final JournalIndex journals, final int journalCount, final Replay replay, final long committedPosition)
    {
        final Tally tally = new Tally();
        final List<ClientJournal> clients = journals.clients();
        for (final ClientJournal journal : clients)
        {
            final ReplayedClient client = replay.client(journal.clientId());
            final long purgedBefore = tally.acknowledgedPurged;
            journal.forEachSent((sequence) -> classify(journal, client, sequence, committedPosition, tally));
            if (null != client)
            {
                // Which of them the snapshot lacks is unknown.
                final long lost = Math.min(client.missingCount, tally.acknowledgedPurged - purgedBefore);
                tally.acknowledgedPurged -= lost;
                tally.acknowledgedLost += lost;
            }
        }

        return new JournalAudit(
            journalCount,
            journals.isComplete(),
            clients.size(),
            tally.sent,
            Math.max(0, journals.attemptCount() - tally.sent),
            tally.acknowledged,
            tally.acknowledged - tally.acknowledgedInSnapshot - tally.acknowledgedPurged - tally.acknowledgedLost,
            tally.acknowledgedInSnapshot,
            tally.acknowledgedPurged,
            tally.acknowledgedLost,
            journals.repeatedReplyCount(),
            journals.appliedTwiceCount(),
            tally.unansweredInLog,
            tally.unansweredPurged,
            tally.unansweredInTail,
            tally.unansweredLost);
    }

    private void classify(
        final ClientJournal journal,
        final ReplayedClient client,
        final long sequence,
        final long committedPosition,
        final Tally tally)
    {
        tally.sent++;
        final boolean isInSnapshot = null != client && sequence < client.firstSequence;
        if (!journal.isAcknowledged(sequence))
        {
            if (journal.copyCount(sequence) > 0)
            {
                tally.unansweredInLog++;
            }
            else if (isInSnapshot)
            {
                tally.unansweredPurged++;
            }
            else if (journal.isInTail(sequence))
            {
                tally.unansweredInTail++;
            }
            else
            {
                tally.unansweredLost++;
            }
            return;
        }

        tally.acknowledged++;
        if (journal.isApplied(sequence))
        {
            return;
        }
        if (isInSnapshot)
        {
            classifyPurged(journal, client, sequence, tally);
            return;
        }
        tally.acknowledgedLost++;
        if (!journal.isReported(sequence))
        {
            reportLost(journal, client, sequence, committedPosition);
        }
    }

    /** The log from the first snapshot on does not have the message, but may have it between its start and the snapshot. */
    private static void classifyPurged(
        final ClientJournal journal, final ReplayedClient client, final long sequence, final Tally tally)
    {
        if (journal.copyCount(sequence) > 0)
        {
            return;
        }

        if (client.isSnapshotProven)
        {
            tally.acknowledgedInSnapshot++;
        }
        else
        {
            tally.acknowledgedPurged++;
        }
    }

    private void reportLost(
        final ClientJournal journal, final ReplayedClient client, final long sequence, final long committedPosition)
    {
        final String message = "acknowledged message " + sequence + " of client " + journal.clientId();
        final long ownPosition = null == client ? ReplayedClient.NO_POSITION : client.tooEarlyPosition(sequence);
        final long blockedPosition = null == client ? ReplayedClient.NO_POSITION : client.firstTooEarlyPosition();
        if (ownPosition >= 0)
        {
            findings.add(
                FindingKind.LOST, AuditFinding.ALL_MEMBERS, ownPosition,
                message + " is only at position " + ownPosition + ", before an earlier message, and so is rejected");
        }
        else if (journal.copyCount(sequence) > 0)
        {
            findings.add(
                FindingKind.LOST, AuditFinding.ALL_MEMBERS, committedPosition,
                message + " is in the log of a majority up to position " + committedPosition + " but is never applied");
        }
        else
        {
            final long position = blockedPosition >= 0 ? blockedPosition : committedPosition;
            findings.add(
                FindingKind.LOST, AuditFinding.ALL_MEMBERS, position,
                message + " is not in the log of a majority up to position " + committedPosition +
                (journal.isInTail(sequence) ? ", only in that of a minority" : "") +
                (blockedPosition >= 0 ? "; later messages from position " + blockedPosition + " on are rejected" : ""));
        }
    }

    private LogAudit log(final Replay replay, final long committedPosition)
    {
        final Map<EntryKind, Long> entryCounts = new EnumMap<>(EntryKind.class);
        for (final EntryKind kind : EntryKind.values())
        {
            entryCounts.put(kind, replay.entryCount(kind));
        }
        final List<ClientAudit> clients = replay.clients().stream()
            .map((client) -> new ClientAudit(client.clientId, client.appliedCount, client.lastSequence, client.checksum))
            .toList();

        return new LogAudit(
            committedPosition, logs.size() / 2 + 1, entryCounts, replay.terms(), replay.appliedCount(),
            replay.repeatedCount(), replay.tooEarlyCount(), replay.gapCount(), replay.refusedCount(), replay.truncatedCount(),
            replay.checksum(), clients);
    }

    private List<MemberAudit> members(final List<MemberWalk> walks, final List<SnapshotState> snapshots)
    {
        final Map<Integer, MemberWalk> byId = walks.stream().collect(Collectors.toMap(MemberWalk::memberId, (walk) -> walk));
        final List<MemberAudit> members = new ArrayList<>();
        for (final MemberLog log : logs)
        {
            final MemberWalk walk = byId.get(log.memberId());
            if (null == walk)
            {
                members.add(MemberAudit.without(log));
                continue;
            }

            final LogReader reader = walk.reader();
            final int snapshotCount = (int)snapshots.stream().filter((state) -> state.memberId() == log.memberId()).count();
            members.add(new MemberAudit(
                log.memberId(),
                log.folder().toString(),
                true,
                log.stream().isOpen(),
                reader.startPosition(),
                reader.position(),
                walk.entryCount(),
                reader.badChecksumCount(),
                walk.tailStart() < 0 ? 0 : reader.position() - walk.tailStart(),
                walk.tailEntryCount(),
                snapshotCount,
                states.checkedCount(log.memberId())));
        }

        return members;
    }

    private static final class Tally
    {
        private long sent;
        private long acknowledged;
        private long acknowledgedInSnapshot;
        private long acknowledgedPurged;
        private long acknowledgedLost;
        private long unansweredInLog;
        private long unansweredPurged;
        private long unansweredInTail;
        private long unansweredLost;
    }
}
