package io.clusterecho.peers.aeron;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A Protobuf message after the id of a call. The client numbers its calls; the server answers with the id of the call that it
 * decoded last.
 * <pre>
 *   | call id (8 bytes, little endian) | Protobuf message ... |
 * </pre>
 */
final class CallCodec extends Codec
{
    private static final int ID_LENGTH = Long.BYTES;

    private final Codec codec;
    private final boolean isClient;
    private long callId;

    CallCodec(final Codec codec, final boolean isClient)
    {
        this.codec = codec;
        this.isClient = isClient;
    }

    @Override
    boolean isIdentity()
    {
        return false;
    }

    @Override
    int encodedLength(final int length)
    {
        return ID_LENGTH + codec.encodedLength(length);
    }

    @Override
    void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        callId += isClient ? 1 : 0;
        buffer.putLong(bufferOffset, callId, ByteOrder.LITTLE_ENDIAN);
        codec.encode(source, offset, length, buffer, bufferOffset + ID_LENGTH);
    }

    @Override
    int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        final long id = length < ID_LENGTH ? 0 : buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
        if (length < ID_LENGTH || isClient && (id < 1 || id > callId))
        {
            return -1;
        }
        if (!isClient)
        {
            callId = id;
        }

        final int messageLength = codec.decode(buffer, offset + ID_LENGTH, length - ID_LENGTH);
        return decoded(codec.message(), codec.messageOffset(), messageLength);
    }
}
