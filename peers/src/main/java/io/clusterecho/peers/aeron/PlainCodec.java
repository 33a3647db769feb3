package io.clusterecho.peers.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** A message as it is. */
final class PlainCodec extends Codec
{
    @Override
    boolean isIdentity()
    {
        return true;
    }

    @Override
    int encodedLength(final int length)
    {
        return length;
    }

    @Override
    void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        buffer.putBytes(bufferOffset, source, offset, length);
    }

    @Override
    int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        return decoded(buffer, offset, length);
    }
}
