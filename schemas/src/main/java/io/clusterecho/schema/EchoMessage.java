package io.clusterecho.schema;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The common layout of echo requests and responses: a header of 8 bytes, a block of 24, then the payload up to the end of the
 * message. Little endian; offsets of a message and lengths are in bytes. All methods are static, do not allocate, and are
 * thread-safe.
 * <p>
 * Call {@link #validate(DirectBuffer, int, int, PayloadCheck)} on received bytes before reading a field.
 */
public final class EchoMessage
{
    /** Length of the smallest message in bytes: header and block, no payload. */
    public static final int MIN_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + EchoRequestDecoder.BLOCK_LENGTH;

    /**
     * Stream id of the egress of a session that asks for a copy of each reply; not used by anything else in Aeron Cluster. Who
     * receives copies is thus part of the session, which all members know after any failover or restart, and not of the state of
     * the service.
     */
    public static final int FAN_OUT_STREAM_ID = 1102;

    /** The same of sessions that ask for marks, whatever the service is: this one and all above. */
    public static final int FIRST_MARKED_STREAM_ID = 1_100_000_000;

    /** {@link #validate}: a complete echo request or response. */
    public static final int VALID = 0;

    /** {@link #validate}: shorter than its header, or than the block length in its header. */
    public static final int SHORT = 1;

    /** {@link #validate}: another schema id, a version newer than this code, or a block shorter than that of version 1. */
    public static final int WRONG_SCHEMA = 2;

    /** {@link #validate}: a template that is neither an echo request nor an echo response. */
    public static final int UNKNOWN_TEMPLATE = 3;

    /** {@link #validate}: the check does not match the bytes. */
    public static final int CORRUPT = 4;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int BLOCK_LENGTH_OFFSET = MessageHeaderDecoder.blockLengthEncodingOffset();
    private static final int TEMPLATE_ID_OFFSET = MessageHeaderDecoder.templateIdEncodingOffset();
    private static final int SCHEMA_ID_OFFSET = MessageHeaderDecoder.schemaIdEncodingOffset();
    private static final int VERSION_OFFSET = MessageHeaderDecoder.versionEncodingOffset();
    private static final int CHECK_OFFSET = HEADER_LENGTH + EchoRequestDecoder.checkEncodingOffset();
    private static final int TIME_OFFSET = HEADER_LENGTH + EchoRequestDecoder.intendedSendTimeLowEncodingOffset();
    private static final int CLIENT_ID_OFFSET = HEADER_LENGTH + EchoRequestDecoder.clientIdEncodingOffset();
    private static final int SEQUENCE_OFFSET = HEADER_LENGTH + EchoRequestDecoder.sequenceEncodingOffset();
    private static final int CHECKED_OFFSET = CHECK_OFFSET + EchoRequestDecoder.checkEncodingLength();

    /**
     * Write header and block in front of a payload that is already in the buffer, at {@code offset + MIN_LENGTH}.
     *
     * @param length             of the whole message, at least {@link #MIN_LENGTH}.
     * @param sequence           of the message within its client, from 0.
     * @param intendedSendTimeNs since the start of the schedule.
     * @param payloadCheck       of the calling thread.
     */
    public static void encode(
        final MutableDirectBuffer buffer,
        final int offset,
        final int length,
        final int templateId,
        final long clientId,
        final long sequence,
        final long intendedSendTimeNs,
        final PayloadCheck payloadCheck)
    {
        buffer.putShort(offset + BLOCK_LENGTH_OFFSET, (short)EchoRequestDecoder.BLOCK_LENGTH, LITTLE_ENDIAN);
        buffer.putShort(offset + TEMPLATE_ID_OFFSET, (short)templateId, LITTLE_ENDIAN);
        buffer.putShort(offset + SCHEMA_ID_OFFSET, (short)EchoRequestDecoder.SCHEMA_ID, LITTLE_ENDIAN);
        buffer.putShort(offset + VERSION_OFFSET, (short)EchoRequestDecoder.SCHEMA_VERSION, LITTLE_ENDIAN);
        buffer.putInt(offset + TIME_OFFSET, (int)intendedSendTimeNs, LITTLE_ENDIAN);
        buffer.putLong(offset + CLIENT_ID_OFFSET, clientId, LITTLE_ENDIAN);
        buffer.putLong(offset + SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
        final int check = payloadCheck.compute(buffer, offset + CHECKED_OFFSET, length - CHECKED_OFFSET);
        buffer.putInt(offset + CHECK_OFFSET, check, LITTLE_ENDIAN);
    }

    /**
     * Validate bytes that may be an echo request or response, with the check of the calling thread: {@link #VALID}, {@link
     * #SHORT}, {@link #WRONG_SCHEMA}, {@link #UNKNOWN_TEMPLATE} or {@link #CORRUPT}.
     */
    public static int validate(
        final DirectBuffer buffer, final int offset, final int length, final PayloadCheck payloadCheck)
    {
        if (length < HEADER_LENGTH)
        {
            return SHORT;
        }

        if (schemaId(buffer, offset) != EchoRequestDecoder.SCHEMA_ID || version(buffer, offset) == 0 ||
            version(buffer, offset) > EchoRequestDecoder.SCHEMA_VERSION)
        {
            return WRONG_SCHEMA;
        }

        final int templateId = templateId(buffer, offset);
        if (!isRequest(templateId) && EchoResponseDecoder.TEMPLATE_ID != templateId &&
            RepeatedEchoResponseDecoder.TEMPLATE_ID != templateId)
        {
            return UNKNOWN_TEMPLATE;
        }

        final int blockLength = blockLength(buffer, offset);
        if (blockLength < EchoRequestDecoder.BLOCK_LENGTH)
        {
            return WRONG_SCHEMA;
        }

        if (length < HEADER_LENGTH + blockLength)
        {
            return SHORT;
        }

        final int check = payloadCheck.compute(buffer, offset + CHECKED_OFFSET, length - CHECKED_OFFSET);
        return check == check(buffer, offset) ? VALID : CORRUPT;
    }

    /** Length of the block, from the message's header; the payload begins this far after the header. */
    public static int blockLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + BLOCK_LENGTH_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Template id in the header of a message of any template. */
    public static int templateId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + TEMPLATE_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Change the template id of a message, which turns a request into its response. */
    public static void templateId(final MutableDirectBuffer buffer, final int offset, final int templateId)
    {
        buffer.putShort(offset + TEMPLATE_ID_OFFSET, (short)templateId, LITTLE_ENDIAN);
    }

    /** Whether a template is one of the two requests. */
    public static boolean isRequest(final int templateId)
    {
        return EchoRequestDecoder.TEMPLATE_ID == templateId || isOrdered(templateId);
    }

    /** Whether a template is that of requests that are applied only directly after the one before. */
    public static boolean isOrdered(final int templateId)
    {
        return OrderedEchoRequestDecoder.TEMPLATE_ID == templateId;
    }

    /** Schema id in the header. */
    public static int schemaId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + SCHEMA_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Schema version in the header, from 1. */
    public static int version(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + VERSION_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Check of the message: CRC32C of all bytes after the check, as an unsigned 32-bit value in an int. */
    public static int check(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + CHECK_OFFSET, LITTLE_ENDIAN);
    }

    /** Low 32 bits of the intended send time in ns since the start of the schedule. */
    public static int intendedSendTimeLow(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + TIME_OFFSET, LITTLE_ENDIAN);
    }

    /** Id of the client that the message belongs to. */
    public static long clientId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + CLIENT_ID_OFFSET, LITTLE_ENDIAN);
    }

    /** Sequence of the message within its client, from 0. */
    public static long sequence(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + SEQUENCE_OFFSET, LITTLE_ENDIAN);
    }
}
