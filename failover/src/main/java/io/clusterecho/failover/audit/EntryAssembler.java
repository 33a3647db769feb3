package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.BEGIN_FRAG_FLAG;
import static io.aeron.logbuffer.FrameDescriptor.END_FRAG_FLAG;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import org.agrona.ExpandableDirectByteBuffer;

/**
 * Assembles entries from frames. Most entries are one frame; a message longer than the MTU is several.
 * <p>
 * The log of a new leader may end with the first fragments of a message whose rest never arrived. They stay in the log and are
 * never applied. Only the entry that begins a term may follow them.
 */
abstract class EntryAssembler
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
