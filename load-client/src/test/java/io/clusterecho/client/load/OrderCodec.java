package io.clusterecho.client.load;

import java.util.List;
import java.util.Map;

import io.clusterecho.codec.MessageCodec;
import io.clusterecho.settings.IllegalArgument;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Orders and what becomes of them. A request is its number and up to 8 further bytes. A message for the client is any number of
 * replies of 9 bytes, kind and number.
 */
public class OrderCodec implements MessageCodec
{
    static final int ACCEPTED = 0;
    static final int FILLED = 1;
    static final int REPLY_LENGTH = 9;

    private int extraLength = 8;
    private List<String> kinds = List.of("accepted", "filled");

    @Override
    public void init(final long seed, final Map<String, String> settings)
    {
        final String extra = settings.getOrDefault("extra", "8");
        IllegalArgument.throwIf(!extra.matches("-?[0-9]+"), "extra, a number of bytes");
        extraLength = Integer.parseInt(extra);
        kinds = List.of(settings.getOrDefault("kinds", "accepted,filled").split(","));
    }

    @Override
    public int maxRequestLength()
    {
        return 16;
    }

    @Override
    public List<String> replyKinds()
    {
        return kinds;
    }

    @Override
    public boolean isRepeatable(final int kind)
    {
        return FILLED == kind;
    }

    @Override
    public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
    {
        final int extra = extraLength > 0 ? (int)(request % (extraLength + 1)) : extraLength;
        buffer.putLong(offset, request);
        buffer.setMemory(offset + Long.BYTES, Math.max(0, Math.min(extra, maxRequestLength() - Long.BYTES)), (byte)0);
        return Long.BYTES + extra;
    }

    @Override
    public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
    {
        if (0 != length % REPLY_LENGTH)
        {
            throw new IllegalArgumentException("length=" + length);
        }
        for (int i = offset; i < offset + length; i += REPLY_LENGTH)
        {
            replies.onReply(buffer.getLong(i + 1), buffer.getByte(i));
        }
    }
}
