package io.clusterecho.peers.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.io.DirectBufferInputStream;
import org.agrona.io.DirectBufferOutputStream;

/**
 * A message as the bytes field of a Protobuf message, written to the sending buffer and parsed from the received one through
 * streams, or through an array on each side. Allocates Protobuf objects, and its buffers between it and streams, for each
 * message, as any use of Protobuf does.
 */
final class ProtobufCodec extends Codec
{
    private final boolean isThroughStreams;
    private final DirectBufferOutputStream out = new DirectBufferOutputStream();
    private final DirectBufferInputStream in = new DirectBufferInputStream();
    private final UnsafeBuffer content = new UnsafeBuffer(0, 0);
    private byte[] bytes = new byte[4096];

    ProtobufCodec(final boolean isThroughStreams)
    {
        this.isThroughStreams = isThroughStreams;
    }

    @Override
    boolean isIdentity()
    {
        return false;
    }

    @Override
    int encodedLength(final int length)
    {
        return 0 == length ? 0 : CodedOutputStream.computeTagSize(BytesValue.VALUE_FIELD_NUMBER) +
            CodedOutputStream.computeUInt32SizeNoTag(length) + length;
    }

    @Override
    void encode(
        final DirectBuffer source, final int offset, final int length, final MutableDirectBuffer buffer, final int bufferOffset)
    {
        final byte[] value = new byte[length];
        source.getBytes(offset, value);
        final BytesValue encoded = BytesValue.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(value)).build();
        if (!isThroughStreams)
        {
            buffer.putBytes(bufferOffset, encoded.toByteArray());
            return;
        }

        out.wrap(buffer, bufferOffset, encodedLength(length));
        try
        {
            encoded.writeTo(out);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("a message of " + length + " bytes does not fit into its buffer", ex);
        }
    }

    @Override
    int decode(final DirectBuffer buffer, final int offset, final int length)
    {
        try
        {
            final ByteString value = parsed(buffer, offset, length).getValue();
            if (value.size() > bytes.length)
            {
                bytes = new byte[value.size()];
            }
            value.copyTo(bytes, 0);
            content.wrap(bytes);
            return decoded(content, 0, value.size());
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }

    private BytesValue parsed(final DirectBuffer buffer, final int offset, final int length) throws IOException
    {
        if (isThroughStreams)
        {
            in.wrap(buffer, offset, length);
            return BytesValue.parseFrom(in);
        }

        final byte[] encoded = new byte[length];
        buffer.getBytes(offset, encoded);
        return BytesValue.parseFrom(encoded);
    }
}
