package io.clusterecho.peers;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.peers.MessageHeaderDecoder;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.OneWayEndDecoder;
import io.clusterecho.schema.peers.OneWayEndEncoder;
import io.clusterecho.schema.peers.OneWayReportEncoder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The server's protocol for one session: an echo request becomes its response, any other message is counted. Not thread-safe.
 * Does not allocate, but in {@link #reply}.
 */
public final class Conversation
{
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int REPORT_LENGTH = HEADER_LENGTH + OneWayReportEncoder.BLOCK_LENGTH;

    private final OneWayEndDecoder oneWayEnd = new OneWayEndDecoder();
    private final OneWayReportEncoder report = new OneWayReportEncoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private long messageCount;
    private long byteCount;

    /** Length in bytes of the reply to a message; 0 if there is none. */
    public static int replyLength(final DirectBuffer buffer, final int offset, final int length)
    {
        return isEcho(buffer, offset, length) ? length :
            OneWayEndDecoder.TEMPLATE_ID == peersTemplateId(buffer, offset, length) ? REPORT_LENGTH : 0;
    }

    /** Process a message and write its reply, unless {@link #replyLength(DirectBuffer, int, int)} is 0. */
    public void take(
        final DirectBuffer buffer, final int offset, final int length, final MutableDirectBuffer reply, final int replyOffset)
    {
        if (isEcho(buffer, offset, length))
        {
            reply.putBytes(replyOffset, buffer, offset, length);
            answerInPlace(reply, replyOffset, length);
        }
        else if (OneWayEndDecoder.TEMPLATE_ID == peersTemplateId(buffer, offset, length))
        {
            oneWayEnd.wrap(buffer, offset + HEADER_LENGTH, OneWayEndDecoder.BLOCK_LENGTH, 1);
            report.wrapAndApplyHeader(reply, replyOffset, header)
                .runId(oneWayEnd.runId()).messageCount(messageCount).byteCount(byteCount);
            messageCount = 0;
            byteCount = 0;
        }
        else
        {
            messageCount++;
            byteCount += length;
        }
    }

    /** The request for a report of what was counted, with the id that the report repeats. */
    public static byte[] end(final long runId)
    {
        final byte[] bytes = new byte[HEADER_LENGTH + OneWayEndEncoder.BLOCK_LENGTH];
        new OneWayEndEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder()).runId(runId);
        return bytes;
    }

    /** Turn an echo request into its reply, in place; false for any other message, which is not changed. */
    public static boolean answerInPlace(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        final boolean isEcho = isEcho(buffer, offset, length);
        if (isEcho)
        {
            EchoMessage.templateId(buffer, offset, EchoResponseDecoder.TEMPLATE_ID);
        }

        return isEcho;
    }

    /** Process a message and return its reply; empty if there is none. */
    public byte[] reply(final byte[] bytes)
    {
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        final byte[] reply = new byte[replyLength(message, 0, bytes.length)];
        take(message, 0, bytes.length, new UnsafeBuffer(reply), 0);
        return reply;
    }

    /** Template id of a message of the peers' schema, or 0 for any other bytes. */
    public static int peersTemplateId(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= HEADER_LENGTH && MessageHeaderDecoder.SCHEMA_ID == EchoMessage.schemaId(buffer, offset) ?
            EchoMessage.templateId(buffer, offset) : 0;
    }

    /** Whether a message is neither an echo request nor one of the peers' schema. A server of calls sends its bytes back. */
    public static boolean isOther(final DirectBuffer buffer, final int offset, final int length)
    {
        return !isEcho(buffer, offset, length) && 0 == peersTemplateId(buffer, offset, length);
    }

    private static boolean isEcho(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= EchoMessage.MIN_LENGTH &&
            EchoRequestDecoder.SCHEMA_ID == EchoMessage.schemaId(buffer, offset) &&
            EchoRequestDecoder.TEMPLATE_ID == EchoMessage.templateId(buffer, offset);
    }
}
