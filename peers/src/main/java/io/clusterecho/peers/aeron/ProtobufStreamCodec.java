package io.clusterecho.peers.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.io.DirectBufferInputStream;
import org.agrona.io.DirectBufferOutputStream;

/**
 * A message as the bytes field of a Protobuf message, written to the sending buffer and parsed from the received one through
 * streams. Allocates Protobuf objects, and Protobuf's buffers between it and the streams, for each message.
 */
final class ProtobufStreamCodec implements Codec
{
    private final DirectBufferOutputStream out = new DirectBufferOutputStream();
    private final DirectBufferInputStream in = new DirectBufferInputStream();
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
        return ProtobufArrayCodec.encodedLengthOf(length);
    }

    @Override
    public void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        final byte[] value = new byte[length];
        source.getBytes(offset, value);
        out.wrap(buffer, bufferOffset, encodedLength(length));
        try
        {
            BytesValue.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(value)).build().writeTo(out);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("a message of " + length + " bytes does not fit into its buffer", ex);
        }
    }

    @Override
    public int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        in.wrap(buffer, offset, length);
        try
        {
            final ByteString value = BytesValue.parseFrom(in).getValue();
            if (value.size() > bytes.length)
            {
                bytes = new byte[value.size()];
            }
            value.copyTo(bytes, 0);
            message.wrap(bytes);
            return value.size();
        }
        catch (final IOException ex)
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
