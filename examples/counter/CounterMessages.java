package com.example.counter;

import io.clusterecho.codec.MessageCodec;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The least that a load needs: a request is its number, and a reply begins with it. */
public final class CounterMessages implements MessageCodec
{
    @Override
    public int maxRequestLength()
    {
        return Long.BYTES;
    }

    @Override
    public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
    {
        buffer.putLong(offset, request);
        return Long.BYTES;
    }

    @Override
    public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
    {
        replies.onReply(buffer.getLong(offset), 0);
    }
}
