package io.clusterecho.peers.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Wire format of one end of a session. Not thread-safe. */
abstract class Codec
{
    /** Maximum by which encoding lengthens a message, in bytes. */
    static final int MAX_OVERHEAD = 16;

    private DirectBuffer message;
    private int messageOffset;

    /** Whether the encoded message equals the message. */
    boolean isIdentity()
    {
        return false;
    }

    abstract int encodedLength(int length);

    abstract void encode(DirectBuffer source, int offset, int length, MutableDirectBuffer buffer, int bufferOffset);

    /**
     * Decode a message. It is in {@link #message()} at {@link #messageOffset()} until the next call.
     *
     * @return its length in bytes, or -1 if it does not belong to this session.
     */
    abstract int decode(DirectBuffer buffer, int offset, int length);

    final DirectBuffer message()
    {
        return message;
    }

    final int messageOffset()
    {
        return messageOffset;
    }

    final int decoded(final DirectBuffer buffer, final int offset, final int length)
    {
        message = buffer;
        messageOffset = offset;
        return length;
    }
}
