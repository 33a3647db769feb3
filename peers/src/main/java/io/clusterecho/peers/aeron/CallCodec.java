package io.clusterecho.peers.aeron;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A message after the id of a call. The client numbers its calls and tracks the open ones; the server answers with the id of the
 * call that it decoded last.
 * <pre>
 *   | call id (8 bytes, little endian) | message ... |
 * </pre>
 */
final class CallCodec implements Codec
{
    private static final int ID_LENGTH = Long.BYTES;
    private static final int OPEN_COUNT = 1 << 16;

    /** Ids of open calls, indexed by their low bits; a later call replaces an unanswered one. Null on the server. */
    private final long[] open;
    private DirectBuffer message;
    private int messageOffset;
    private long callId;

    private CallCodec(final long[] open)
    {
        this.open = open;
    }

    static CallCodec ofClient()
    {
        return new CallCodec(new long[OPEN_COUNT]);
    }

    static CallCodec ofServer()
    {
        return new CallCodec(null);
    }

    @Override
    public boolean isIdentity()
    {
        return false;
    }

    @Override
    public int encodedLength(final int length)
    {
        return ID_LENGTH + length;
    }

    @Override
    public void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        if (null != open)
        {
            callId++;
            open[(int)callId & OPEN_COUNT - 1] = callId;
        }
        buffer.putLong(bufferOffset, callId, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(bufferOffset + ID_LENGTH, source, offset, length);
    }

    @Override
    public int decode(final DirectBuffer buffer, final int offset, final int length)
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
            // Further messages of a stream have the id of the call that requested it.
            final int slot = (int)id & OPEN_COUNT - 1;
            if (open[slot] == id)
            {
                open[slot] = 0;
            }
        }

        message = buffer;
        messageOffset = offset + ID_LENGTH;
        return length - ID_LENGTH;
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
