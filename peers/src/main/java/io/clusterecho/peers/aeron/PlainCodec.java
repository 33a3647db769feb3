package io.clusterecho.peers.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Messages without encoding. */
final class PlainCodec implements Codec
{
    private DirectBuffer message;
    private int messageOffset;

    @Override
    public boolean isIdentity()
    {
        return true;
    }

    @Override
    public int encodedLength(final int length)
    {
        return length;
    }

    @Override
    public void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        buffer.putBytes(bufferOffset, source, offset, length);
    }

    @Override
    public int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        message = buffer;
        messageOffset = offset;
        return length;
    }

    @Override
    public DirectBuffer message()
    {
        return message;
    }

    @Override
    public int messageOffset()
    {
        return messageOffset;
    }
}
