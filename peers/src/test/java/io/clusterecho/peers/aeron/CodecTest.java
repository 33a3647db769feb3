package io.clusterecho.peers.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BytesValue;
import com.google.protobuf.InvalidProtocolBufferException;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CodecTest
{
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[200_000]);
    private final UnsafeBuffer wire = new UnsafeBuffer(new byte[200_100]);

    @ParameterizedTest
    @CsvSource({
        "PLAIN, 1", "PLAIN, 288", "PROTOBUF, 1", "PROTOBUF, 127", "PROTOBUF, 128", "PROTOBUF, 16383", "PROTOBUF, 131072",
        "PROTOBUF_ARRAYS, 1", "PROTOBUF_ARRAYS, 127", "PROTOBUF_ARRAYS, 16383", "PROTOBUF_ARRAYS, 131072", "RPC, 1", "RPC, 288",
        "RPC, 131072", "RPC_ARRAYS, 1", "RPC_ARRAYS, 131072" })
    void shouldReadWhatItWrote(final WireFormat format, final int length)
    {
        message.setMemory(3, length, (byte)9);
        final Codec client = format.newCodec(true);
        final Codec server = format.newCodec(false);
        final int encodedLength = client.encodedLength(length);
        client.encode(message, 3, length, wire, 5);

        assertThat(encodedLength).isBetween(length, length + Codec.MAX_OVERHEAD);
        assertThat(server.decode(wire, 5, encodedLength)).isEqualTo(length);
        assertThat(server.message().getByte(server.messageOffset())).isEqualTo((byte)9);
        assertThat(server.message().getByte(server.messageOffset() + length - 1)).isEqualTo((byte)9);

        server.encode(message, 3, length, wire, 50);
        assertThat(client.decode(wire, 50, server.encodedLength(length))).isEqualTo(length);
    }

    @ParameterizedTest
    @EnumSource(names = { "PROTOBUF", "PROTOBUF_ARRAYS" })
    void shouldEncodeValidProtobuf(final WireFormat format) throws InvalidProtocolBufferException
    {
        message.setMemory(0, 300, (byte)4);
        final Codec codec = format.newCodec(true);
        codec.encode(message, 0, 300, wire, 0);
        final byte[] bytes = new byte[codec.encodedLength(300)];
        wire.getBytes(0, bytes);
        assertThat(BytesValue.parseFrom(bytes).getValue().size()).isEqualTo(300);
    }

    @Test
    void shouldRejectRepliesToUnknownCalls()
    {
        final CallCodec client = new CallCodec(new Codec(), true);
        client.encode(message, 0, 10, wire, 0);
        wire.putLong(0, 2);
        assertThat(client.decode(wire, 0, 18)).isEqualTo(-1);
        wire.putLong(0, 0);
        assertThat(client.decode(wire, 0, 18)).isEqualTo(-1);
        assertThat(client.decode(wire, 0, 7)).isEqualTo(-1);
        wire.putLong(0, 1);
        assertThat(client.decode(wire, 0, 18)).isEqualTo(10);
    }
}
