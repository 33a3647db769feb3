package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.peers.MessageHeaderDecoder;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.OneWayEndEncoder;
import io.clusterecho.schema.peers.OneWayReportDecoder;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ConversationTest
{
    private static final int OFFSET = 8;

    private final Conversation conversation = new Conversation();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[512]);
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[512]);

    @Test
    void shouldAnswerAnEchoRequestWithItsBytesUnderTheTemplateOfAResponse()
    {
        final int length = 288;
        message.setMemory(OFFSET, length, (byte)5);
        final PayloadCheck check = new PayloadCheck();
        EchoMessage.encode(message, OFFSET, length, EchoRequestDecoder.TEMPLATE_ID, 7, 3, 11, check);

        assertThat(Conversation.replyLength(message, OFFSET, length)).isEqualTo(length);
        conversation.take(message, OFFSET, length, reply, 16);

        assertThat(EchoMessage.validate(reply, 16, length, check)).isEqualTo(EchoMessage.VALID);
        assertThat(EchoMessage.templateId(reply, 16)).isEqualTo(EchoResponseDecoder.TEMPLATE_ID);
        assertThat(EchoMessage.sequence(reply, 16)).isEqualTo(3);
        assertThat(reply.getByte(16 + length - 1)).isEqualTo((byte)5);
    }

    @Test
    void shouldCountUnknownMessagesAndReportThemOnce()
    {
        take(1);
        take(7);
        take(300);
        assertReport(3, 308);
        assertReport(0, 0);
    }

    @Test
    void shouldWriteTheRequestedNumberOfPricesOf28BytesAndAHeader()
    {
        assertThat(Prices.requested(message, 0, Prices.encodeRequest(3, message))).isEqualTo(3);
        assertThat(Prices.CONTENT_LENGTH).isEqualTo(Long.BYTES + 5 * Integer.BYTES).isEqualTo(28);
        assertThat(Prices.ENCODED_LENGTH).isEqualTo(36);
        final Prices.Writer writer = new Prices.Writer();
        final Prices.Reader price = new Prices.Reader();
        for (int i = 0; i < 3; i++)
        {
            writer.write(i, reply, 0);
            assertThat(price.wrap(reply, 0, Prices.ENCODED_LENGTH)).isTrue();
            assertThat(price.is(i)).isTrue();
            assertThat(price.is(i + 1)).isFalse();
        }
    }

    private void take(final int length)
    {
        message.setMemory(0, length, (byte)0x7F);
        assertThat(Conversation.replyLength(message, 0, length)).isZero();
        conversation.take(message, 0, length, reply, 0);
    }

    private void assertReport(final long messageCount, final long byteCount)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + OneWayEndEncoder.BLOCK_LENGTH;
        new OneWayEndEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder()).runId(42);
        assertThat(Conversation.replyLength(message, 0, length)).isPositive();
        conversation.take(message, 0, length, reply, 0);
        final OneWayReportDecoder report = new OneWayReportDecoder();
        report.wrapAndApplyHeader(reply, 0, new MessageHeaderDecoder());
        assertThat(report.runId()).isEqualTo(42);
        assertThat(report.messageCount()).isEqualTo(messageCount);
        assertThat(report.byteCount()).isEqualTo(byteCount);
    }
}
