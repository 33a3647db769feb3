package io.clusterecho.peers.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** Wire format of one end of a session: a message as it is, unless a subclass encodes it. Not thread-safe. */
class Codec
{
    /** Maximum by which encoding lengthens a message, in bytes. */
    static final int MAX_OVERHEAD = 16;

    private final BufferClaim claim = new BufferClaim();
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer();
    private DirectBuffer message;
    private int messageOffset;

    /** Whether the encoded message equals the message. */
    boolean isIdentity()
    {
        return true;
    }

    int encodedLength(final int length)
    {
        return length;
    }

    void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        buffer.putBytes(bufferOffset, source, offset, length);
    }

    /**
     * Decode a message. It is in {@link #message()} at {@link #messageOffset()} until the next call.
     *
     * @return its length in bytes, or -1 if it does not belong to this session.
     */
    int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        return decoded(buffer, offset, length);
    }

    /** Send, in fragments if it does not fit a claim; returns a position or an error as {@link Publication} does. */
    final long send(final ExclusivePublication publication, final DirectBuffer source, final int offset, final int length)
    {
        final int encodedLength = encodedLength(length);
        if (encodedLength <= publication.maxPayloadLength())
        {
            final long result = publication.tryClaim(encodedLength, claim);
            if (result > 0)
            {
                encode(source, offset, length, claim.buffer(), claim.offset());
                claim.commit();
            }
            return result;
        }
        if (isIdentity())
        {
            return publication.offer(source, offset, length);
        }
        if (publication.availableWindow() <= 0)
        {
            // Encoding in vain with each attempt would cost more than the message.
            return publication.isConnected() ? Publication.BACK_PRESSURED : Publication.NOT_CONNECTED;
        }

        encode(source, offset, length, encoded, 0);
        return publication.offer(encoded, 0, encodedLength);
    }

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
