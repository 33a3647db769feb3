package io.clusterecho.failover.audit;

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
    private final SessionMessageHeaderDecoder message = new SessionMessageHeaderDecoder();
    private final SessionOpenEventDecoder open = new SessionOpenEventDecoder();
    private final SessionCloseEventDecoder close = new SessionCloseEventDecoder();
    private final TimerEventDecoder timer = new TimerEventDecoder();
    private final ClusterActionRequestDecoder action = new ClusterActionRequestDecoder();
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

    /**
     * Decode an entry.
     *
     * @param entryOffset        in bytes.
     * @param entryLength        in bytes.
     * @param entryStartPosition log position at which it begins.
     * @param entryPosition      log position at which it ends, including alignment.
     */
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

    /** Cluster time of the entry. */
    long timestamp()
    {
        return timestamp;
    }

    /** Leader of a new term. */
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

    /** Buffer containing the payload. */
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
        final int blockLength = header.blockLength();
        final int version = header.version();
        switch (header.templateId())
        {
            case SessionMessageHeaderDecoder.TEMPLATE_ID:
                if (blockLength >= SessionMessageHeaderDecoder.BLOCK_LENGTH)
                {
                    message.wrap(buffer, bodyOffset, blockLength, version);
                    take(EntryKind.SESSION_MESSAGE, message.leadershipTermId(), message.timestamp());
                    offset = bodyOffset + blockLength;
                    length = bodyLength - blockLength;
                }
                break;

            case SessionOpenEventDecoder.TEMPLATE_ID:
                if (blockLength >= SessionOpenEventDecoder.BLOCK_LENGTH)
                {
                    open.wrap(buffer, bodyOffset, blockLength, version);
                    take(EntryKind.SESSION_OPEN, open.leadershipTermId(), open.timestamp());
                }
                break;

            case SessionCloseEventDecoder.TEMPLATE_ID:
                if (blockLength >= SessionCloseEventDecoder.BLOCK_LENGTH)
                {
                    close.wrap(buffer, bodyOffset, blockLength, version);
                    take(EntryKind.SESSION_CLOSE, close.leadershipTermId(), close.timestamp());
                }
                break;

            case TimerEventDecoder.TEMPLATE_ID:
                if (blockLength >= TimerEventDecoder.BLOCK_LENGTH)
                {
                    timer.wrap(buffer, bodyOffset, blockLength, version);
                    take(EntryKind.TIMER, timer.leadershipTermId(), timer.timestamp());
                }
                break;

            case ClusterActionRequestDecoder.TEMPLATE_ID:
                if (blockLength >= ClusterActionRequestDecoder.BLOCK_LENGTH - Integer.BYTES)
                {
                    action.wrap(buffer, bodyOffset, blockLength, version);
                    take(EntryKind.CLUSTER_ACTION, action.leadershipTermId(), action.timestamp());
                    statedPosition = action.logPosition();
                }
                break;

            case NewLeadershipTermEventDecoder.TEMPLATE_ID:
                if (blockLength >= NewLeadershipTermEventDecoder.BLOCK_LENGTH)
                {
                    newTerm.wrap(buffer, bodyOffset, blockLength, version);
                    take(EntryKind.NEW_TERM, newTerm.leadershipTermId(), newTerm.timestamp());
                    leaderMemberId = newTerm.leaderMemberId();
                    statedPosition = newTerm.logPosition();
                    statedStartPosition = newTerm.termBaseLogPosition();
                }
                break;

            default:
                break;
        }
    }

    private void take(final EntryKind newKind, final long newTermId, final long newTimestamp)
    {
        kind = newKind;
        termId = newTermId;
        timestamp = newTimestamp;
    }
}
