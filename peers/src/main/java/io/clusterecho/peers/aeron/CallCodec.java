package io.clusterecho.peers.aeron;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A Protobuf message after the id of a call. The client numbers its calls and tracks the open ones; the server answers with the
 * id of the call that it decoded last.
 * <pre>
 *   | call id (8 bytes, little endian) | Protobuf message ... |
 * </pre>
 */
final class CallCodec extends Codec
{
    private static final int ID_LENGTH = Long.BYTES;
    private static final int OPEN_COUNT = 1 << 16;

    /** Ids of open calls, indexed by their low bits; a later call replaces an unanswered one. Null on the server. */
    private final long[] open;
    private final Codec codec;
    private long callId;

    CallCodec(final Codec codec, final boolean isClient)
    {
        this.codec = codec;
        open = isClient ? new long[OPEN_COUNT] : null;
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
        if (null != open)
        {
            callId++;
            open[(int)callId & OPEN_COUNT - 1] = callId;
        }
        buffer.putLong(bufferOffset, callId, ByteOrder.LITTLE_ENDIAN);
        codec.encode(source, offset, length, buffer, bufferOffset + ID_LENGTH);
    }

    @Override
    int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < ID_LENGTH)
        {
            return -1;
        }

        final long id = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
        if (null == open)
        {
            callId = id;
        }
        else
        {
            if (id < 1 || id > callId)
            {
                return -1;
            }
            final int slot = (int)id & OPEN_COUNT - 1;
            if (open[slot] == id)
            {
                open[slot] = 0;
            }
        }

        final int messageLength = codec.decode(buffer, offset + ID_LENGTH, length - ID_LENGTH);
        return decoded(codec.message(), codec.messageOffset(), messageLength);
    }
}
