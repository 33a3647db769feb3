package io.clusterecho.node.member;

import static io.aeron.logbuffer.FrameDescriptor.BEGIN_FRAG_FLAG;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.logbuffer.FrameDescriptor;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds the last leadership term in a recorded log, for a list of terms that may lack it. A member that started with such a
 * list would begin a term that the log has, or vote as if it had less.
 */
final class LogTerms implements Recording.FrameHandler
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final NewLeadershipTermEventDecoder event = new NewLeadershipTermEventDecoder();
    private final SessionMessageHeaderDecoder message = new SessionMessageHeaderDecoder();
    private final long limit;
    private long lastId = -1;

    /** @param limit position in bytes; frames that begin there or later are ignored. */
    LogTerms(final long limit)
    {
        this.limit = limit;
    }

    /** Id of the last term that a frame names, -1 without one. */
    long lastId()
    {
        return lastId;
    }

    @Override
    public void onFrame(final UnsafeBuffer segment, final int offset, final int length, final long position)
    {
        final int begin = offset + HEADER_LENGTH;
        if (position >= limit || 0 == (FrameDescriptor.frameFlags(segment, offset) & BEGIN_FRAG_FLAG) ||
            FrameDescriptor.isPaddingFrame(segment, offset) || length < HEADER_LENGTH + MessageHeaderDecoder.ENCODED_LENGTH)
        {
            return;
        }

        header.wrap(segment, begin);
        final int bodyLength = length - HEADER_LENGTH - MessageHeaderDecoder.ENCODED_LENGTH;
        if (MessageHeaderDecoder.SCHEMA_ID != header.schemaId())
        {
            return;
        }
        if (NewLeadershipTermEventDecoder.TEMPLATE_ID == header.templateId() &&
            bodyLength >= NewLeadershipTermEventDecoder.BLOCK_LENGTH)
        {
            event.wrapAndApplyHeader(segment, begin, header);
            lastId = event.leadershipTermId();
        }
        else if (SessionMessageHeaderDecoder.TEMPLATE_ID == header.templateId() &&
            bodyLength >= SessionMessageHeaderDecoder.BLOCK_LENGTH)
        {
            message.wrapAndApplyHeader(segment, begin, header);
            lastId = message.leadershipTermId();
        }
    }
}
