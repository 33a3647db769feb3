package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.BEGIN_FRAG_FLAG;
import static io.aeron.logbuffer.FrameDescriptor.END_FRAG_FLAG;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;
import static io.aeron.protocol.DataHeaderFlyweight.RESERVED_VALUE_OFFSET;

import java.util.ArrayList;
import java.util.List;

import io.aeron.logbuffer.FrameDescriptor;

import io.clusterecho.node.member.Recording;

import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the logs of all members in lockstep, frame by frame, and passes on the frames that a majority agrees on: the committed
 * prefix.
 * <p>
 * Frames at the same position are compared byte by byte. A frame whose checksum fails has no vote. A log that ends earlier than
 * the others is behind, which is legal. A log that continues beyond the majority has an uncommitted tail, which is legal too. A
 * log that differs from the others within the same leadership term is a finding. A log that begins later, because it was
 * trimmed after a snapshot, counts as agreeing with everything before its first frame. If a majority of the logs begins after
 * the others have ended, the comparison continues where the first of them begins.
 */
final class LogComparison
{
    /** One member's log and its read position. */
    static final class Walk extends LogReader
    {
        enum State
        {
            /** Agrees with the majority so far. */
            IN_STEP,
            ENDED,
            /** In its uncommitted tail, appended by an earlier leader or by one without a majority; legal. */
            TAIL,
            /** Differs from the majority in frame boundaries, so it cannot be compared any further. */
            INCOMPARABLE
        }

        State state = State.IN_STEP;
        boolean hasFrame;
        long entryCount;
        long tailStart = -1;
        long divergedFrameCount;
        private boolean isEntryEnd;
        private boolean isNewTerm;
        private long termId = LogEntry.NO_TERM;
        private long entryCountBeforeTail;

        Walk(final Recording log, final int memberId, final AuditFindings findings)
        {
            super(log, memberId, "the log of member " + memberId, findings);
            advance();
        }

        /** Entries that end within the tail, as far as it was read. */
        long tailEntryCount()
        {
            return tailStart < 0 ? 0 : entryCount - entryCountBeforeTail;
        }

        void beginTail()
        {
            state = State.TAIL;
            tailStart = position();
            entryCountBeforeTail = isEntryEnd ? entryCount - 1 : entryCount;
        }

        /** Advance to the next frame; without one the member has ended. */
        void advance()
        {
            hasFrame = next();
            if (!hasFrame && State.IN_STEP == state)
            {
                state = State.ENDED;
            }
            isEntryEnd = hasFrame && has(END_FRAG_FLAG);
            entryCount += isEntryEnd ? 1 : 0;
            final LogEntry entry = hasFrame && has(BEGIN_FRAG_FLAG) ? entry() : null;
            isNewTerm = null != entry && EntryKind.NEW_TERM == entry.kind();
            if (null != entry && LogEntry.NO_TERM != entry.termId())
            {
                termId = entry.termId();
            }
        }

        /** Whether both are at equal frames. Session ids are not compared, because a recording stores its checksums there. */
        boolean isSame(final Walk other)
        {
            return frameLength() == other.frameLength() &&
                field(FrameDescriptor.VERSION_OFFSET) == other.field(FrameDescriptor.VERSION_OFFSET) &&
                (isPadding() || content().equals(other.content()));
        }

        private UnsafeBuffer content()
        {
            return new UnsafeBuffer(
                buffer(), frameIndex() + RESERVED_VALUE_OFFSET, alignedLength() - RESERVED_VALUE_OFFSET);
        }

        /**
         * Whether two logs may legally differ from here on: leaders of two terms appended here, and the later one began its term.
         * Uncommitted entries of a failed leader stay on its disk until it returns.
         */
        boolean mayDifferFrom(final Walk other)
        {
            return (isNewTerm && termId > other.termId) || (other.isNewTerm && other.termId > termId);
        }

        /** Version, flags and type. */
        private int field(final int offset)
        {
            return buffer().getInt(frameIndex() + offset);
        }
    }

    /**
     * Assembles entries from frames. Most entries are one frame; a message longer than the MTU is several.
     * <p>
     * The log of a new leader may end with the first fragments of a message whose rest never arrived. They stay in the log and
     * are never applied. Only the entry that begins a term may follow them.
     */
    abstract static class EntryAssembler
    {
        private final ExpandableDirectByteBuffer message = new ExpandableDirectByteBuffer(1 << 16);
        private long startPosition;
        private int length;
        private boolean isPending;

        /** An entry is complete; it is only valid during the call. */
        abstract void onEntry(LogEntry entry);

        /** Fragments from a position on form no entry; legal if a new term truncated the message. A tail may begin so. */
        void onTruncatedFragment(final long startPosition, final boolean isLegal)
        {
        }

        /** No log has the entries between two positions: those that begin later were purged, and the others end before. */
        void onGap(final long endPosition, final long nextPosition)
        {
            // The rest of a message that has begun is not in the log.
            isPending = false;
        }

        void onFrame(final LogReader reader)
        {
            final boolean isEnd = reader.has(END_FRAG_FLAG);
            if (reader.has(BEGIN_FRAG_FLAG))
            {
                final LogEntry entry = reader.entry();
                endTruncatedFragment(isEnd && EntryKind.NEW_TERM == entry.kind());
                if (isEnd)
                {
                    onEntry(entry);
                    return;
                }
                isPending = true;
                startPosition = reader.position();
                length = 0;
            }
            else if (!isPending && !reader.isPadding())
            {
                onTruncatedFragment(reader.position(), false);
            }
            if (isPending && !reader.isPadding())
            {
                final int payloadLength = reader.frameLength() - HEADER_LENGTH;
                message.putBytes(length, reader.buffer(), reader.frameIndex() + HEADER_LENGTH, payloadLength);
                length += payloadLength;
                if (isEnd)
                {
                    isPending = false;
                    onEntry(LogEntry.decode(message, 0, length, startPosition, reader.endPosition()));
                }
            }
        }

        private void endTruncatedFragment(final boolean isLegal)
        {
            if (isPending)
            {
                isPending = false;
                onTruncatedFragment(startPosition, isLegal);
            }
        }
    }

    /** End of the last committed frame. */
    long position;

    private final List<Walk> walks;
    private final int majority;
    private final AuditFindings findings;
    private final List<Walk> present = new ArrayList<>();

    /** Starts at the lowest position of a log; the members include those whose log is empty or cannot be read. */
    LogComparison(final List<Walk> walks, final int memberCount, final AuditFindings findings)
    {
        this.walks = walks;
        this.findings = findings;
        majority = memberCount / 2 + 1;
        position = walks.stream().mapToLong(LogReader::startPosition).min().orElse(0);
    }

    /** Pass on frames as long as a majority agrees. */
    void run(final EntryAssembler handler)
    {
        while (step(handler))
        {
            Thread.onSpinWait();
        }
        endInDisagreement();
    }

    private boolean step(final EntryAssembler handler)
    {
        present.clear();
        int trimmedCount = 0;
        for (final Walk walk : walks)
        {
            if (Walk.State.IN_STEP == walk.state)
            {
                if (walk.position() == position)
                {
                    present.add(walk);
                }
                else if (walk.position() > position)
                {
                    trimmedCount++;
                }
                else
                {
                    findings.add(FindingKind.DIVERGED, walk.memberId, walk.position(),
                        "the log of member " + walk.memberId + " begins at position " + walk.position() +
                        ", which is within a frame of the majority");
                    walk.state = Walk.State.INCOMPARABLE;
                }
            }
        }
        if (present.isEmpty() && trimmedCount >= majority)
        {
            skipPurged(handler);
            return true;
        }

        final Walk intact = agreed(trimmedCount, true);
        final Walk leading = null == intact ? agreed(trimmedCount, false) : intact;
        if (null == leading)
        {
            return false;
        }

        handler.onFrame(leading);
        for (final Walk walk : present)
        {
            if (walk != leading && !walk.isSame(leading))
            {
                onDifference(walk, leading);
            }
        }

        position = leading.endPosition();
        present.stream().filter((walk) -> Walk.State.IN_STEP == walk.state).forEach(Walk::advance);
        return true;
    }

    private void skipPurged(final EntryAssembler handler)
    {
        final long startPosition = walks.stream().filter((walk) -> Walk.State.IN_STEP == walk.state)
            .mapToLong(LogReader::position).min().orElseThrow();
        handler.onGap(position, startPosition);
        position = startPosition;
    }

    /** One of the members whose frame at this position is that of a majority, or null. */
    private Walk agreed(final int trimmedCount, final boolean isIntactOnly)
    {
        final List<Walk> voters = present.stream().filter((walk) -> !isIntactOnly || walk.isIntact).toList();
        return voters.stream().filter((candidate) -> trimmedCount +
            voters.stream().filter((voter) -> voter == candidate || candidate.isSame(voter)).count() >= majority)
            .findFirst().orElse(null);
    }

    private void onDifference(final Walk walk, final Walk leading)
    {
        // A member that differs from damaged frames is not a finding: each damaged frame already is one.
        if (walk.isIntact && leading.isIntact)
        {
            if (walk.mayDifferFrom(leading))
            {
                walk.beginTail();
                return;
            }

            if (0 == walk.divergedFrameCount)
            {
                findings.add(FindingKind.DIVERGED, walk.memberId, position,
                    "the log of member " + walk.memberId + " differs from that of the majority at position " + position);
            }
            else
            {
                findings.count(FindingKind.DIVERGED);
            }
            walk.divergedFrameCount++;
        }

        if (walk.alignedLength() != leading.alignedLength() || walk.isPadding() != leading.isPadding())
        {
            // The logs cannot be compared again after these frames.
            walk.state = Walk.State.INCOMPARABLE;
        }
    }

    /** No majority agrees any more. Uncommitted tails are legal unless two of them differ within the same term. */
    private void endInDisagreement()
    {
        present.removeIf((walk) -> !walk.hasFrame);
        for (int i = 0; i < present.size(); i++)
        {
            for (int j = i + 1; j < present.size(); j++)
            {
                final Walk one = present.get(i);
                final Walk other = present.get(j);
                // A damaged frame is a finding already, and no proof against the other member.
                if (one.isIntact && other.isIntact && !one.isSame(other) && !one.mayDifferFrom(other))
                {
                    findings.add(FindingKind.DIVERGED, position,
                        "the logs of members " + one.memberId + " and " + other.memberId + " differ at position " +
                        position + ", and no majority agrees");
                }
            }
        }
        present.forEach(Walk::beginTail);
    }
}
