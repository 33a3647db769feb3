package io.clusterecho.peers.aeron;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message as the bytes field of a Protobuf message, through an array on each side. Allocates Protobuf objects for each message,
 * as any use of Protobuf does.
 */
final class ProtobufArrayCodec implements Codec
{
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private byte[] bytes = new byte[4096];

    @Override
    public boolean isIdentity()
    {
        return false;
    }

    @Override
    public int encodedLength(final int length)
    {
        return encodedLengthOf(length);
    }

    static int encodedLengthOf(final int length)
    {
        return 0 == length ? 0 : CodedOutputStream.computeTagSize(BytesValue.VALUE_FIELD_NUMBER) +
            CodedOutputStream.computeUInt32SizeNoTag(length) + length;
    }

    @Override
    public void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        final byte[] value = new byte[length];
        source.getBytes(offset, value);
        final byte[] encoded =
            BytesValue.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(value)).build().toByteArray();
        buffer.putBytes(bufferOffset, encoded);
    }

    @Override
    public int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] encoded = new byte[length];
        buffer.getBytes(offset, encoded);
        try
        {
            final ByteString value = BytesValue.parseFrom(encoded).getValue();
            if (value.size() > bytes.length)
            {
                bytes = new byte[value.size()];
            }
            value.copyTo(bytes, 0);
            message.wrap(bytes);
            return value.size();
        }
        catch (final InvalidProtocolBufferException ex)
        {
            return -1;
        }
    }

    @Override
    public DirectBuffer message()
    {
        return message;
    }

    @Override
    public int messageOffset()
    {
        return 0;
    }
}
