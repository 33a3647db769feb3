package io.clusterecho.failover.audit;

import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;
import static io.aeron.protocol.DataHeaderFlyweight.RESERVED_VALUE_OFFSET;

import io.aeron.logbuffer.FrameDescriptor;

/** One member's log and its read position during a {@link LogComparison}. */
final class MemberWalk
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

    final int memberId;
    final LogReader reader;
    State state = State.IN_STEP;
    boolean hasFrame;
    long entryCount;
    long tailStart = -1;
    long divergedFrameCount;
    private boolean isEntryEnd;
    private boolean isNewTerm;
    private long termId = LogEntry.NO_TERM;
    private long entryCountBeforeTail;

    MemberWalk(final int memberId, final LogReader reader)
    {
        this.memberId = memberId;
        this.reader = reader;
        advance();
    }

    /** Entries that end within the tail, as far as it was read. */
    long tailEntryCount()
    {
        return tailStart < 0 ? 0 : entryCount - entryCountBeforeTail;
    }

    /** The tail begins with the current frame. */
    void beginTail()
    {
        state = State.TAIL;
        tailStart = reader.position();
        entryCountBeforeTail = isEntryEnd ? entryCount - 1 : entryCount;
    }

    /** Advance to the next frame; without one the member has ended. */
    void advance()
    {
        isEntryEnd = false;
        isNewTerm = false;
        hasFrame = reader.next();
        if (!hasFrame)
        {
            if (State.IN_STEP == state)
            {
                state = State.ENDED;
            }
            return;
        }
        if (reader.isPadding())
        {
            return;
        }

        final byte flags = FrameDescriptor.frameFlags(reader.buffer(), reader.frameIndex());
        isEntryEnd = (flags & FrameDescriptor.END_FRAG_FLAG) != 0;
        entryCount += isEntryEnd ? 1 : 0;
        if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0)
        {
            final LogEntry entry = LogEntry.decode(
                reader.buffer(), reader.frameIndex() + HEADER_LENGTH, reader.frameLength() - HEADER_LENGTH,
                reader.position(), reader.endPosition());
            isNewTerm = EntryKind.NEW_TERM == entry.kind();
            if (LogEntry.NO_TERM != entry.termId())
            {
                termId = entry.termId();
            }
        }
    }

    /** Whether both are at equal frames. Session ids are not compared, because a recording stores its checksums there. */
    boolean isSame(final MemberWalk other)
    {
        final LogReader that = other.reader;
        if (reader.frameLength() != that.frameLength() ||
            field(FrameDescriptor.VERSION_OFFSET) != other.field(FrameDescriptor.VERSION_OFFSET))
        {
            return false;
        }
        if (reader.isPadding())
        {
            return true;
        }

        for (int i = RESERVED_VALUE_OFFSET; i < reader.alignedLength(); i += Long.BYTES)
        {
            if (reader.buffer().getLong(reader.frameIndex() + i) != that.buffer().getLong(that.frameIndex() + i))
            {
                return false;
            }
        }

        return true;
    }

    /** Whether the frames have the same length in the log, so that the logs can be compared again after them. */
    boolean hasSameLength(final MemberWalk other)
    {
        return reader.alignedLength() == other.reader.alignedLength() && reader.isPadding() == other.reader.isPadding();
    }

    /**
     * Whether two logs may legally differ from here on: leaders of two terms appended here, and the later one began its term.
     * Uncommitted entries of a failed leader stay on its disk until it returns.
     */
    boolean mayDifferFrom(final MemberWalk other)
    {
        return (isNewTerm && termId > other.termId) || (other.isNewTerm && other.termId > termId);
    }

    /** Version, flags and type. */
    private int field(final int offset)
    {
        return reader.buffer().getInt(reader.frameIndex() + offset);
    }
}
