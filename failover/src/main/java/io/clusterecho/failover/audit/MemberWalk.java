package io.clusterecho.failover.audit;

import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;
import static io.aeron.protocol.DataHeaderFlyweight.RESERVED_VALUE_OFFSET;

import io.aeron.logbuffer.FrameDescriptor;

/**
 * One member's way through its log during a {@link LogComparison}.
 */
final class MemberWalk
{
    /**
     * How a member stands to the others.
     */
    enum State
    {
        /** In step with the majority so far. */
        IN_STEP,
        /** Its log has ended. */
        ENDED,
        /** It holds what an earlier leader, or one that was never followed, appended; legal. */
        TAIL,
        /** It holds something else than it should and cannot be compared any further. */
        ASTRAY
    }

    private final int memberId;
    private final LogReader reader;
    private final LogEntry entry = new LogEntry();
    private State state = State.IN_STEP;
    private boolean hasFrame;
    private boolean isNewTerm;
    private long termId = LogEntry.NO_TERM;
    private long entryCount;
    private long tailStart = -1;
    private long tailEntryCount;
    private long divergedFrameCount;

    MemberWalk(final int memberId, final LogReader reader)
    {
        this.memberId = memberId;
        this.reader = reader;
        advance();
    }

    int memberId()
    {
        return memberId;
    }

    LogReader reader()
    {
        return reader;
    }

    State state()
    {
        return state;
    }

    void state(final State newState)
    {
        state = newState;
    }

    /** Whether the reader stands at a frame. */
    boolean hasFrame()
    {
        return hasFrame;
    }

    long entryCount()
    {
        return entryCount;
    }

    long tailStart()
    {
        return tailStart;
    }

    /** Entries that end in the tail. */
    long tailEntryCount()
    {
        return tailEntryCount;
    }

    /**
     * Count the frame at which the reader stands if an entry ends with it.
     */
    void countTailEntry()
    {
        if (!reader.isPadding() &&
            (FrameDescriptor.frameFlags(reader.buffer(), reader.frameIndex()) & FrameDescriptor.END_FRAG_FLAG) != 0)
        {
            tailEntryCount++;
        }
    }

    void beginTail()
    {
        state = State.TAIL;
        tailStart = reader.position();
    }

    long divergedFrameCount()
    {
        return divergedFrameCount;
    }

    void countDivergedFrame()
    {
        divergedFrameCount++;
    }

    /**
     * Go to the next frame; the member has ended when there is none.
     */
    void advance()
    {
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
        if ((flags & FrameDescriptor.END_FRAG_FLAG) != 0)
        {
            entryCount++;
        }
        if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0)
        {
            entry.wrap(
                reader.buffer(), reader.frameIndex() + HEADER_LENGTH, reader.frameLength() - HEADER_LENGTH,
                reader.position(), reader.endPosition());
            isNewTerm = EntryKind.NEW_TERM == entry.kind();
            if (LogEntry.NO_TERM != entry.termId())
            {
                termId = entry.termId();
            }
        }
    }

    /**
     * Whether both stand at the same bytes. Session ids are left out: a recording keeps its checksums there.
     */
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

    /**
     * Whether the frames take the same room, so that both can be compared again behind them.
     */
    boolean isSameRoom(final MemberWalk other)
    {
        return reader.alignedLength() == other.reader.alignedLength() && reader.isPadding() == other.reader.isPadding();
    }

    /**
     * Whether two members may differ from here on without a fault: leaders of two terms appended here, and the later one
     * began its term. Entries of a leader that no majority followed stay on its disk until it returns.
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
