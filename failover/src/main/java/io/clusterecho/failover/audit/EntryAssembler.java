package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.BEGIN_FRAG_FLAG;
import static io.aeron.logbuffer.FrameDescriptor.END_FRAG_FLAG;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import io.aeron.logbuffer.FrameDescriptor;

import org.agrona.ExpandableDirectByteBuffer;

/**
 * Assembles entries from frames. Most entries are one frame; a message longer than the MTU is several.
 * <p>
 * The log of a new leader may end with the first fragments of a message whose rest never arrived. They stay in the log and are
 * never applied. Only the entry that begins a term may follow them.
 */
class EntryAssembler
{
    interface Handler
    {
        /** An entry is complete; it is only valid during the call. */
        void onEntry(LogEntry entry);

        /** Fragments from a position on form no entry; legal if a new term truncated the message. A tail may begin so. */
        default void onTruncatedFragment(final long startPosition, final boolean isLegal)
        {
        }

        /** No log has the entries between two positions: those that begin later were purged, and the others end before. */
        default void onGap(final long endPosition, final long startPosition)
        {
        }
    }

    private final ExpandableDirectByteBuffer message = new ExpandableDirectByteBuffer(1 << 16);
    private final Handler handler;
    private long startPosition;
    private int length;
    private boolean isPending;

    EntryAssembler(final Handler handler)
    {
        this.handler = handler;
    }

    void onFrame(final LogReader reader)
    {
        if (reader.isPadding())
        {
            return;
        }

        final byte flags = FrameDescriptor.frameFlags(reader.buffer(), reader.frameIndex());
        final int payloadOffset = reader.frameIndex() + HEADER_LENGTH;
        final int payloadLength = reader.frameLength() - HEADER_LENGTH;
        final boolean isBegin = (flags & BEGIN_FRAG_FLAG) != 0;
        final boolean isEnd = (flags & END_FRAG_FLAG) != 0;

        if (isBegin && isEnd)
        {
            final LogEntry entry = LogEntry.decode(
                reader.buffer(), payloadOffset, payloadLength, reader.position(), reader.endPosition());
            endTruncatedFragment(EntryKind.NEW_TERM == entry.kind());
            handler.onEntry(entry);
        }
        else if (isBegin)
        {
            endTruncatedFragment(false);
            isPending = true;
            startPosition = reader.position();
            message.putBytes(0, reader.buffer(), payloadOffset, payloadLength);
            length = payloadLength;
        }
        else if (!isPending)
        {
            handler.onTruncatedFragment(reader.position(), false);
        }
        else
        {
            message.putBytes(length, reader.buffer(), payloadOffset, payloadLength);
            length += payloadLength;
            if (isEnd)
            {
                isPending = false;
                handler.onEntry(LogEntry.decode(message, 0, length, startPosition, reader.endPosition()));
            }
        }
    }

    /** As {@link Handler#onGap}: the rest of a message that has begun is not in the log. */
    void onGap(final long endPosition, final long nextPosition)
    {
        isPending = false;
        handler.onGap(endPosition, nextPosition);
    }

    private void endTruncatedFragment(final boolean isLegal)
    {
        if (isPending)
        {
            isPending = false;
            handler.onTruncatedFragment(startPosition, isLegal);
        }
    }
}
