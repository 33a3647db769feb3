package io.clusterecho.failover.audit;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.aeron.cluster.codecs.ClusterActionRequestDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.SessionCloseEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionOpenEventDecoder;
import io.aeron.cluster.codecs.TimerEventDecoder;

import org.agrona.DirectBuffer;

/** One log entry, decoded in place: valid until its reader advances. */
final class LogEntry
{
    static final long NO_TERM = -1;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final NewLeadershipTermEventDecoder newTerm = new NewLeadershipTermEventDecoder();

    private EntryKind kind;
    private long startPosition;
    private long position;
    private long termId;
    private long timestamp;
    private int leaderMemberId;
    private long statedPosition;
    private long statedStartPosition;
    private DirectBuffer buffer;
    private int offset;
    private int length;

    /** Decode an entry between two log positions, the end with its alignment. */
    void wrap(
        final DirectBuffer entryBuffer,
        final int entryOffset,
        final int entryLength,
        final long entryStartPosition,
        final long entryPosition)
    {
        startPosition = entryStartPosition;
        position = entryPosition;
        buffer = entryBuffer;
        offset = entryOffset;
        length = entryLength;
        kind = EntryKind.OTHER;
        termId = NO_TERM;
        timestamp = -1;
        leaderMemberId = -1;
        statedPosition = -1;
        statedStartPosition = -1;

        if (entryLength < MessageHeaderDecoder.ENCODED_LENGTH)
        {
            return;
        }
        header.wrap(entryBuffer, entryOffset);
        final int bodyOffset = entryOffset + MessageHeaderDecoder.ENCODED_LENGTH;
        final int bodyLength = entryLength - MessageHeaderDecoder.ENCODED_LENGTH;
        if (header.schemaId() == MessageHeaderDecoder.SCHEMA_ID && bodyLength >= header.blockLength())
        {
            decode(bodyOffset, bodyLength);
        }
    }

    EntryKind kind()
    {
        return kind;
    }

    /** Log position at which the entry begins. */
    long startPosition()
    {
        return startPosition;
    }

    /** Log position at which the entry ends. */
    long position()
    {
        return position;
    }

    /** Leadership term id in the entry, or {@link #NO_TERM}. */
    long termId()
    {
        return termId;
    }

    long timestamp()
    {
        return timestamp;
    }

    int leaderMemberId()
    {
        return leaderMemberId;
    }

    /** End position according to the entry's own fields, -1 if it has none. */
    long statedPosition()
    {
        return statedPosition;
    }

    /** Position at which a new term begins according to the entry's own fields, -1 if it has none. */
    long statedStartPosition()
    {
        return statedStartPosition;
    }

    DirectBuffer buffer()
    {
        return buffer;
    }

    /** Offset of the payload in bytes: after the session header in a client's message, else of the entry. */
    int offset()
    {
        return offset;
    }

    /** Length in bytes of the payload. */
    int length()
    {
        return length;
    }

    private void decode(final int bodyOffset, final int bodyLength)
    {
        switch (header.templateId())
        {
            case SessionMessageHeaderDecoder.TEMPLATE_ID -> take(
                EntryKind.SESSION_MESSAGE, bodyOffset, SessionMessageHeaderDecoder.BLOCK_LENGTH,
                SessionMessageHeaderDecoder.timestampEncodingOffset());
            case SessionOpenEventDecoder.TEMPLATE_ID -> take(
                EntryKind.SESSION_OPEN, bodyOffset, SessionOpenEventDecoder.BLOCK_LENGTH,
                SessionOpenEventDecoder.timestampEncodingOffset());
            case SessionCloseEventDecoder.TEMPLATE_ID -> take(
                EntryKind.SESSION_CLOSE, bodyOffset, SessionCloseEventDecoder.BLOCK_LENGTH,
                SessionCloseEventDecoder.timestampEncodingOffset());
            case TimerEventDecoder.TEMPLATE_ID -> take(
                EntryKind.TIMER, bodyOffset, TimerEventDecoder.BLOCK_LENGTH, TimerEventDecoder.timestampEncodingOffset());
            // Earlier versions had no flags at its end.
            case ClusterActionRequestDecoder.TEMPLATE_ID -> take(
                EntryKind.CLUSTER_ACTION, bodyOffset, ClusterActionRequestDecoder.BLOCK_LENGTH - Integer.BYTES,
                ClusterActionRequestDecoder.timestampEncodingOffset());
            case NewLeadershipTermEventDecoder.TEMPLATE_ID -> take(
                EntryKind.NEW_TERM, bodyOffset, NewLeadershipTermEventDecoder.BLOCK_LENGTH,
                NewLeadershipTermEventDecoder.timestampEncodingOffset());
            default ->
            {
            }
        }

        if (EntryKind.SESSION_MESSAGE == kind)
        {
            offset = bodyOffset + header.blockLength();
            length = bodyLength - header.blockLength();
        }
        else if (EntryKind.CLUSTER_ACTION == kind)
        {
            statedPosition =
                buffer.getLong(bodyOffset + ClusterActionRequestDecoder.logPositionEncodingOffset(), LITTLE_ENDIAN);
        }
        else if (EntryKind.NEW_TERM == kind)
        {
            newTerm.wrap(buffer, bodyOffset, header.blockLength(), header.version());
            leaderMemberId = newTerm.leaderMemberId();
            statedPosition = newTerm.logPosition();
            statedStartPosition = newTerm.termBaseLogPosition();
        }
    }

    /** All kinds begin with the id of their term. */
    private void take(final EntryKind newKind, final int bodyOffset, final int minBlockLength, final int timestampOffset)
    {
        if (header.blockLength() >= minBlockLength)
        {
            kind = newKind;
            termId = buffer.getLong(bodyOffset, LITTLE_ENDIAN);
            timestamp = buffer.getLong(bodyOffset + timestampOffset, LITTLE_ENDIAN);
        }
    }
}
