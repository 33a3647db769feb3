package io.clusterecho.failover.audit;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.aeron.cluster.codecs.ClusterActionRequestDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionOpenEventDecoder;

import org.agrona.DirectBuffer;

/**
 * One log entry; its payload is valid until its reader advances.
 *
 * @param startPosition       log position at which the entry begins.
 * @param position            log position at which the entry ends.
 * @param termId              leadership term id in the entry, or {@link #NO_TERM}.
 * @param timestamp           of a new term in the cluster's time unit, else -1.
 * @param leaderMemberId      of a new term, else -1.
 * @param statedPosition      end position according to the entry's own fields, -1 if it has none.
 * @param statedStartPosition position at which a new term begins according to the entry's own fields, -1 if it has none.
 * @param offset              of the payload in bytes: after the session header in a client's message, else of the entry.
 * @param length              of the payload in bytes.
 */
record LogEntry(
    EntryKind kind, long startPosition, long position, long termId, long timestamp, int leaderMemberId, long statedPosition,
    long statedStartPosition, DirectBuffer buffer, int offset, int length)
{
    static final long NO_TERM = -1;
    /** Later times in a unit are beyond the year 5000: the unit is a finer one. */
    private static final long MAX_MS = 100_000_000_000_000L;
    private static final long MAX_US = 1_000 * MAX_MS;

    /** When a client's message was appended, in ms since the epoch; the cluster's clock may have a finer unit. */
    long timeMs()
    {
        final long time = buffer.getLong(
            offset - SessionMessageHeaderDecoder.BLOCK_LENGTH + SessionMessageHeaderDecoder.timestampEncodingOffset(),
            LITTLE_ENDIAN);
        return time / (time > MAX_US ? 1_000_000 : time > MAX_MS ? 1_000 : 1);
    }

    /** Id of a session that was opened, or in which a message was sent; negative if a service has put that into the log. */
    long sessionId()
    {
        return buffer.getLong(EntryKind.SESSION_OPEN == kind ?
            offset + MessageHeaderDecoder.ENCODED_LENGTH + SessionOpenEventDecoder.clusterSessionIdEncodingOffset() :
            offset - SessionMessageHeaderDecoder.BLOCK_LENGTH + SessionMessageHeaderDecoder.clusterSessionIdEncodingOffset(),
            LITTLE_ENDIAN);
    }

    /** Decode an entry between two log positions, the end with its alignment. */
    static LogEntry decode(
        final DirectBuffer buffer, final int offset, final int length, final long startPosition, final long position)
    {
        final int bodyOffset = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        final int bodyLength = length - MessageHeaderDecoder.ENCODED_LENGTH;
        final MessageHeaderDecoder header = bodyLength < 0 ? null : new MessageHeaderDecoder().wrap(buffer, offset);
        final EntryKind kind = null == header ? EntryKind.OTHER : EntryKind.of(header, bodyLength);
        if (EntryKind.OTHER == kind)
        {
            return new LogEntry(kind, startPosition, position, NO_TERM, -1, -1, -1, -1, buffer, offset, length);
        }

        // All kinds begin with the id of their term.
        final long termId = buffer.getLong(bodyOffset, LITTLE_ENDIAN);
        if (EntryKind.NEW_TERM == kind)
        {
            final NewLeadershipTermEventDecoder term = new NewLeadershipTermEventDecoder().wrap(
                buffer, bodyOffset, header.blockLength(), header.version());
            return new LogEntry(
                kind, startPosition, position, termId, term.timestamp(), term.leaderMemberId(), term.logPosition(),
                term.termBaseLogPosition(), buffer, offset, length);
        }

        final boolean isMessage = EntryKind.SESSION_MESSAGE == kind;
        final long statedPosition = EntryKind.CLUSTER_ACTION != kind ? -1 :
            buffer.getLong(bodyOffset + ClusterActionRequestDecoder.logPositionEncodingOffset(), LITTLE_ENDIAN);
        return new LogEntry(
            kind, startPosition, position, termId, -1, -1, statedPosition, -1, buffer,
            isMessage ? bodyOffset + header.blockLength() : offset, isMessage ? bodyLength - header.blockLength() : length);
    }
}
