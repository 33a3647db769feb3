package io.clusterecho.node.member;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;

import io.clusterecho.settings.IllegalArgument;

/**
 * What a member votes with and starts from: its list of terms and snapshots, the newest snapshot, and the end of the log. Checked
 * before it votes, because Aeron meets damage only when it replays, and never compares the list with the log. What precedes the
 * last file of the log is read by the replay alone. Each check throws what is wrong. One thread.
 */
record StartData(RecordingLog list, Map<Long, Recording> recordings, boolean hasChecksums)
{
    /** Of terms that nobody won. A larger gap between two ids is damage. */
    private static final long MAX_TERM_GAP = 1 << 20;

    /**
     * What is wrong, or empty.
     *
     * @param hasChecksums    whether the archive records them.
     * @param appliedPosition up to which the service had applied the log, in bytes; 0 if that is unknown.
     */
    static Optional<String> problem(
        final RecordingLog list, final Path archiveDir, final boolean hasChecksums, final long appliedPosition)
    {
        try
        {
            new StartData(list, Recording.in(archiveDir), hasChecksums).check(appliedPosition);
            return Optional.empty();
        }
        catch (final RuntimeException ex)
        {
            return Optional.of(ex.getMessage());
        }
    }

    private void check(final long appliedPosition)
    {
        checkTerms();
        final RecordingLog.Entry lastTerm = list.findLastTerm();
        final Recording log = recording(lastTerm.recordingId);
        final Optional<RecordingLog.Entry> snapshot = checkSnapshot(log);
        IllegalArgument.throwIf(
            snapshot.isEmpty() && 0 != log.startPosition(),
            "the log begins at position " + log.startPosition() + ", but the list of terms and snapshots has no snapshot");

        final LogTerms terms = checkEnd(
            log, snapshot.map((entry) -> entry.logPosition).orElse(log.startPosition()), new LogTerms(appliedPosition));
        IllegalArgument.throwIf(
            terms.lastId() > lastTerm.leadershipTermId, "the list of terms and snapshots ends with term " +
            lastTerm.leadershipTermId + ", but the log has term " + terms.lastId());
    }

    private void checkTerms()
    {
        RecordingLog.Entry before = null;
        for (final RecordingLog.Entry entry : list.entries())
        {
            if (entry.isValid && RecordingLog.ENTRY_TYPE_TERM == entry.type)
            {
                final long idBefore = null == before ? -1 : before.leadershipTermId;
                IllegalArgument.throwIf(
                    entry.leadershipTermId <= idBefore || entry.leadershipTermId - idBefore > MAX_TERM_GAP ||
                    entry.termBaseLogPosition < (null == before ? 0 : before.termBaseLogPosition) ||
                    entry.logPosition >= 0 && entry.logPosition < entry.termBaseLogPosition,
                    "the list of terms and snapshots has term " + entry.leadershipTermId + " from position " +
                    entry.termBaseLogPosition + " to " + entry.logPosition + " after term " + idBefore);
                before = entry;
            }
        }
    }

    /** Of consensus module and services; its entry, if there is one. */
    private Optional<RecordingLog.Entry> checkSnapshot(final Recording log)
    {
        final RecordingLog.Entry module = list.getLatestSnapshot(ConsensusModule.Configuration.SERVICE_ID);
        if (null == module)
        {
            return Optional.empty();
        }

        RecordingLog.Entry part = module;
        for (int serviceId = 0; serviceId <= 1 || null != part; serviceId++)
        {
            IllegalArgument.throwIf(
                null == part || part.logPosition != module.logPosition || part.timestamp != module.timestamp ||
                part.leadershipTermId != module.leadershipTermId || part.termBaseLogPosition != module.termBaseLogPosition,
                "the entries of the snapshot at position " + module.logPosition + " differ");
            final Recording recording = recording(part.recordingId);
            IllegalArgument.throwIf(
                recording.streamId() == log.streamId(),
                "the list of terms and snapshots names recording " + recording.id() + " as a snapshot, which is a log");
            read(recording, recording.startPosition(), recording.stopPosition(), (segment, offset, length, position) -> { });
            part = list.getLatestSnapshot(serviceId);
        }
        return Optional.of(module);
    }

    private LogTerms checkEnd(final Recording log, final long from, final LogTerms terms)
    {
        // While a recording has no end, because its member was killed, the archive looks for it when it is launched.
        final long end = log.stopPosition();
        IllegalArgument.throwIf(end >= 0 && from > end, "the log ends at position " + end + ", before the snapshot at " + from);
        final long lastBase = end < 0 ? lastBase(log, from) : log.segmentBase(Math.max(from, end - 1));
        for (long base = log.segmentBase(from); base < lastBase; base += log.segmentLength())
        {
            final long length = log.segmentFile(base).toFile().length();
            IllegalArgument.throwIf(
                length != log.segmentLength(), "unexpected end of recording at position=" + (base + length) + ": " +
                log.segmentFile(base) + " has " + length + " of " + log.segmentLength() + " bytes");
        }

        if (from != end)
        {
            final long begin = Math.max(from, lastBase);
            // A kill may have cut the last write, which the archive then removes: damage has an intact frame after it.
            final long to = end < 0 && log.read(begin, end, hasChecksums, terms).isPresent() ?
                lastBase + IntactFrames.length(log.segmentFile(lastBase)) : end;
            read(log, begin, to, terms);
        }
        return terms;
    }

    private static long lastBase(final Recording log, final long from)
    {
        long base = log.segmentBase(from);
        while (log.segmentFile(base + log.segmentLength()).toFile().exists())
        {
            base += log.segmentLength();
        }
        return base;
    }

    private Recording recording(final long id)
    {
        IllegalArgument.throwIf(
            !recordings.containsKey(id), "the list of terms and snapshots names recording " + id + ", which the catalog lacks");
        return recordings.get(id);
    }

    private void read(final Recording recording, final long from, final long to, final Recording.FrameHandler handler)
    {
        recording.read(from, to, hasChecksums, handler).ifPresent((problem) -> IllegalArgument.throwIf(true, problem));
    }
}
