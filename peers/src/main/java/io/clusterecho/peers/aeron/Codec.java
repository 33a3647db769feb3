package io.clusterecho.peers.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * How a message of a session stands on the wire. One thread at a time uses an instance, which belongs to one end of one
 * session.
 */
interface Codec
{
    /**
     * Longest that a message can become by being encoded.
     */
    int MAX_OVERHEAD = 16;

    /**
     * Whether a message stands on the wire as it is.
     */
    boolean isIdentity();

    /**
     * Length in bytes on the wire of a message.
     */
    int encodedLength(int length);

    /**
     * Write a message as it goes on the wire.
     */
    void encode(DirectBuffer message, int offset, int length, MutableDirectBuffer buffer, int bufferOffset);

    /**
     * Read a message off the wire.
     *
     * @return its length, with {@link #message()} and {@link #messageOffset()} telling where it is until the next call;
     * or -1 if it is none of this session.
     */
    int decode(DirectBuffer buffer, int offset, int length);

    /**
     * Buffer of the message that was decoded last.
     */
    DirectBuffer message();

    /**
     * Offset in bytes of the message that was decoded last.
     */
    int messageOffset();
}
