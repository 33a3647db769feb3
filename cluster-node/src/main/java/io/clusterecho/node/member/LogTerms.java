package io.clusterecho.node.member;

import static io.aeron.logbuffer.FrameDescriptor.BEGIN_FRAG_FLAG;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import java.util.ArrayList;
import java.util.List;

import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.logbuffer.FrameDescriptor;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds the leadership terms in a recorded log, for a list of terms that may lack some. A member that started with such a list
 * would begin a term that the log has, or vote as if it had less.
 */
public final class LogTerms implements Recording.FrameHandler
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final NewLeadershipTermEventDecoder event = new NewLeadershipTermEventDecoder();
    private final SessionMessageHeaderDecoder message = new SessionMessageHeaderDecoder();
    private final List<MemberSeed.Term> terms = new ArrayList<>();
    private final long limit;
    private long lastId = -1;

    /** @param limit position in bytes; frames that begin there or later are ignored. */
    LogTerms(final long limit)
    {
        this.limit = limit;
    }

    /** The terms that begin in a whole log; throws if it cannot be read. */
    public static List<MemberSeed.Term> of(final Recording log)
    {
        final LogTerms found = new LogTerms(Long.MAX_VALUE);
        log.read(0, log.stopPosition(), false, found).ifPresent((problem) ->
        {
            throw new IllegalStateException(problem);
        });
        return found.terms;
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
            terms.add(new MemberSeed.Term(event.leadershipTermId(), event.termBaseLogPosition(), event.timestamp()));
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
