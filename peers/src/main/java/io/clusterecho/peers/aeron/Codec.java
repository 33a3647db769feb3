package io.clusterecho.peers.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Wire format of one end of a session. Not thread-safe. */
interface Codec
{
    /** Maximum encoded length. */
    int MAX_OVERHEAD = 16;

    /** Whether the encoded message equals the message. */
    boolean isIdentity();

    /** Encoded length of a message in bytes. */
    int encodedLength(int length);

    /** Encode a message. */
    void encode(DirectBuffer message, int offset, int length, MutableDirectBuffer buffer, int bufferOffset);

    /**
     * Decode a message. It is in {@link #message()} at {@link #messageOffset()} until the next call.
     *
     * @return its length in bytes, or -1 if it does not belong to this session.
     */
    int decode(DirectBuffer buffer, int offset, int length);

    /** Buffer of the last decoded message. */
    DirectBuffer message();

    /** Offset of the last decoded message in bytes. */
    int messageOffset();
}
