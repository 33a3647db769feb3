package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import io.aeron.cluster.codecs.ClusterActionRequestEncoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventEncoder;
import io.aeron.cluster.codecs.SessionCloseEventEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionOpenEventEncoder;
import io.aeron.cluster.codecs.TimerEventEncoder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Log entries as a leader appends them. */
final class Entries
{
    static final int SESSION_HEADER_LENGTH =
        MessageHeaderEncoder.ENCODED_LENGTH + SessionMessageHeaderEncoder.BLOCK_LENGTH;
    static final int MESSAGE_LENGTH = EchoMessage.MIN_LENGTH + 8;
    static final long TIMESTAMP = 1234;

    private Entries()
    {
    }

    static byte[] message(final long termId, final int templateId, final long clientId, final long sequence)
    {
        return message(termId, templateId, clientId, sequence, 1);
    }

    /** @param content differs between messages with equal client and sequence. */
    static byte[] message(
        final long termId, final int templateId, final long clientId, final long sequence, final int content)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[SESSION_HEADER_LENGTH + MESSAGE_LENGTH]);
        new SessionMessageHeaderEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .leadershipTermId(termId).clusterSessionId(1).timestamp(TIMESTAMP);
        buffer.putInt(SESSION_HEADER_LENGTH + EchoMessage.MIN_LENGTH, content);
        EchoMessage.encode(
            buffer, SESSION_HEADER_LENGTH, MESSAGE_LENGTH, templateId, clientId, sequence, 0, new PayloadCheck());
        return buffer.byteArray();
    }

    static int check(final byte[] message)
    {
        return EchoMessage.check(new UnsafeBuffer(message), SESSION_HEADER_LENGTH);
    }

    /** @param position in the log at which it is appended. */
    static byte[] newTerm(final long termId, final int leaderMemberId, final long position)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + NewLeadershipTermEventEncoder.BLOCK_LENGTH];
        new NewLeadershipTermEventEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
            .leadershipTermId(termId).leaderMemberId(leaderMemberId).timestamp(TIMESTAMP)
            .termBaseLogPosition(position).logPosition(position + room(bytes));
        return bytes;
    }

    static byte[] open(final long termId)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + SessionOpenEventEncoder.BLOCK_LENGTH + 8];
        new SessionOpenEventEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
            .leadershipTermId(termId).timestamp(TIMESTAMP).responseChannel("");
        return bytes;
    }

    static byte[] close(final long termId)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + SessionCloseEventEncoder.BLOCK_LENGTH];
        new SessionCloseEventEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
            .leadershipTermId(termId).timestamp(TIMESTAMP);
        return bytes;
    }

    static byte[] timer(final long termId)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + TimerEventEncoder.BLOCK_LENGTH];
        new TimerEventEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
            .leadershipTermId(termId).timestamp(TIMESTAMP);
        return bytes;
    }

    /** @param position in the log at which it is appended. */
    static byte[] action(final long termId, final long position)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + ClusterActionRequestEncoder.BLOCK_LENGTH];
        new ClusterActionRequestEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
            .leadershipTermId(termId).timestamp(TIMESTAMP).logPosition(position + room(bytes));
        return bytes;
    }

    /** Aligned length in the log of an entry of one frame, in bytes. */
    static int room(final byte[] entry)
    {
        return BitUtil.align(HEADER_LENGTH + entry.length, FRAME_ALIGNMENT);
    }
}
