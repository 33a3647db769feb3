package io.clusterecho.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.SequenceGapDecoder;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EchoMessageTest
{
    private static final int OFFSET = 24;
    private static final long CLIENT_ID = 0x0123456789ABCDEFL;
    private static final long SEQUENCE = 77;
    private static final long INTENDED_NS = 5_000_000_123L;

    private final PayloadCheck payloadCheck = new PayloadCheck();

    @Test
    void shouldBeThirtyTwoBytesWithoutPayload()
    {
        assertThat(EchoMessage.MIN_LENGTH).isEqualTo(32);
    }

    @ParameterizedTest
    @ValueSource(ints = { 32, 33, 288, 1344, 65536 })
    void shouldReadBackWhatWasWritten(final int length)
    {
        final MutableDirectBuffer buffer = encoded(new UnsafeBuffer(new byte[OFFSET + length]), length);

        assertThat(EchoMessage.validate(buffer, OFFSET, length, payloadCheck)).isEqualTo(EchoMessage.VALID);
        assertThat(EchoMessage.clientId(buffer, OFFSET)).isEqualTo(CLIENT_ID);
        assertThat(EchoMessage.sequence(buffer, OFFSET)).isEqualTo(SEQUENCE);
        assertThat(EchoMessage.intendedSendTimeLow(buffer, OFFSET)).isEqualTo((int)INTENDED_NS);
        assertThat(EchoMessage.templateId(buffer, OFFSET)).isEqualTo(EchoRequestDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldHaveTheLayoutOfTheGeneratedCodecs()
    {
        final MutableDirectBuffer buffer = encoded(new UnsafeBuffer(new byte[OFFSET + 288]), 288);
        final EchoRequestDecoder decoder =
            new EchoRequestDecoder().wrapAndApplyHeader(buffer, OFFSET, new MessageHeaderDecoder());

        assertThat(decoder.clientId()).isEqualTo(CLIENT_ID);
        assertThat(decoder.sequence()).isEqualTo(SEQUENCE);
        assertThat(decoder.intendedSendTimeLow()).isEqualTo(INTENDED_NS & 0xFFFFFFFFL);
        assertThat(decoder.check()).isEqualTo(EchoMessage.check(buffer, OFFSET) & 0xFFFFFFFFL);
        assertThat(decoder.sbeBlockLength()).isEqualTo(EchoRequestEncoder.BLOCK_LENGTH);
    }

    @Test
    void shouldDistinguishRequests()
    {
        assertThat(IntStream.range(0, 200).filter(EchoMessage::isRequest)).containsExactly(1, 3);
        assertThat(IntStream.range(0, 200).filter(EchoMessage::isOrdered)).containsExactly(3);
    }

    @Test
    void shouldComputeTheSameCheckOnAndOffTheHeapAsTheJdk()
    {
        final UnsafeBuffer onHeap = encoded(new UnsafeBuffer(new byte[OFFSET + 1344]), 1344);
        final UnsafeBuffer offHeap = encoded(new UnsafeBuffer(ByteBuffer.allocateDirect(OFFSET + 1344)), 1344);
        final CRC32C crc = new CRC32C();
        crc.update(onHeap.byteArray(), OFFSET + 12, 1344 - 12);

        assertThat(EchoMessage.check(onHeap, OFFSET)).isEqualTo((int)crc.getValue());
        assertThat(EchoMessage.check(offHeap, OFFSET)).isEqualTo((int)crc.getValue());
    }

    @Test
    void shouldDetectAnyFlippedByteAfterTheCheck()
    {
        final MutableDirectBuffer buffer = encoded(new UnsafeBuffer(new byte[OFFSET + 64]), 64);
        for (int i = 8; i < 64; i++)
        {
            buffer.putByte(OFFSET + i, (byte)(buffer.getByte(OFFSET + i) ^ 1));
            assertThat(EchoMessage.validate(buffer, OFFSET, 64, payloadCheck)).as("byte " + i).isEqualTo(EchoMessage.CORRUPT);
            buffer.putByte(OFFSET + i, (byte)(buffer.getByte(OFFSET + i) ^ 1));
        }
    }

    @Test
    void shouldKeepItsCheckWhenARequestBecomesItsResponse()
    {
        final MutableDirectBuffer buffer = encoded(new UnsafeBuffer(new byte[OFFSET + 64]), 64);
        EchoMessage.templateId(buffer, OFFSET, EchoResponseDecoder.TEMPLATE_ID);

        assertThat(EchoMessage.validate(buffer, OFFSET, 64, payloadCheck)).isEqualTo(EchoMessage.VALID);
        assertThat(EchoMessage.templateId(buffer, OFFSET)).isEqualTo(EchoResponseDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldNameWhatIsWrong()
    {
        final MutableDirectBuffer buffer = encoded(new UnsafeBuffer(new byte[OFFSET + 64]), 64);
        assertThat(EchoMessage.validate(buffer, OFFSET, 7, payloadCheck)).isEqualTo(EchoMessage.SHORT);
        assertThat(EchoMessage.validate(buffer, OFFSET, 31, payloadCheck)).isEqualTo(EchoMessage.SHORT);
        assertThat(EchoMessage.validate(buffer, OFFSET, 63, payloadCheck)).isEqualTo(EchoMessage.CORRUPT);

        EchoMessage.templateId(buffer, OFFSET, SequenceGapDecoder.TEMPLATE_ID);
        assertThat(EchoMessage.validate(buffer, OFFSET, 64, payloadCheck)).isEqualTo(EchoMessage.UNKNOWN_TEMPLATE);

        encoded(buffer, 64);
        buffer.putShort(OFFSET + 4, (short)111);
        assertThat(EchoMessage.validate(buffer, OFFSET, 64, payloadCheck)).isEqualTo(EchoMessage.WRONG_SCHEMA);

        encoded(buffer, 64);
        buffer.putShort(OFFSET + 6, (short)(EchoRequestDecoder.SCHEMA_VERSION + 1));
        assertThat(EchoMessage.validate(buffer, OFFSET, 64, payloadCheck)).isEqualTo(EchoMessage.WRONG_SCHEMA);

        encoded(buffer, 64);
        buffer.putShort(OFFSET, (short)0xFFFF);
        assertThat(EchoMessage.validate(buffer, OFFSET, 64, payloadCheck)).isEqualTo(EchoMessage.SHORT);
    }

    private <T extends MutableDirectBuffer> T encoded(final T buffer, final int length)
    {
        for (int i = EchoMessage.MIN_LENGTH; i < length; i++)
        {
            buffer.putByte(OFFSET + i, (byte)(i | 1));
        }
        EchoMessage.encode(
            buffer, OFFSET, length, EchoRequestDecoder.TEMPLATE_ID, CLIENT_ID, SEQUENCE, INTENDED_NS, payloadCheck);
        return buffer;
    }
}
