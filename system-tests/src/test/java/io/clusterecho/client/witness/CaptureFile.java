package io.clusterecho.client.witness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;

import org.agrona.concurrent.UnsafeBuffer;

/** Writes small captures, as the format is documented and not as the reader reads it. */
final class CaptureFile
{
    static final int MESSAGE_LENGTH = 40;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteOrder order;
    private final boolean isInNs;
    private final int linkType;
    private final int snapLength;

    CaptureFile(final ByteOrder order, final boolean isInNs, final int linkType, final int snapLength)
    {
        this.order = order;
        this.isInNs = isInNs;
        this.linkType = linkType;
        this.snapLength = snapLength;
        bytes.writeBytes(ByteBuffer.allocate(24).order(order).putInt(isInNs ? 0xa1b23c4d : 0xa1b2c3d4).putShort((short)2)
            .putShort((short)4).putInt(0).putInt(0).putInt(snapLength).putInt(linkType).array());
    }

    static CaptureFile ofThisMachine()
    {
        return new CaptureFile(ByteOrder.LITTLE_ENDIAN, true, 1, 262_144);
    }

    CaptureFile udp(final long timeNs, final int port, final byte[] payload)
    {
        return packet(timeNs, linkHeader(0x0800), ip4(17, 0, udp(port, payload)));
    }

    CaptureFile udpOverIp6(final long timeNs, final int port, final byte[] payload)
    {
        final byte[] udp = udp(port, payload);
        return packet(timeNs, linkHeader(0x86dd), ByteBuffer.allocate(40 + udp.length).put((byte)0x60).put(new byte[3])
            .putShort((short)udp.length).put((byte)17).put((byte)64).put(new byte[32]).put(udp).array());
    }

    CaptureFile tcp(final long timeNs)
    {
        return packet(timeNs, linkHeader(0x0800), ip4(6, 0, new byte[40]));
    }

    CaptureFile piece(final long timeNs, final int port, final int fragmentField, final byte[] payload)
    {
        return packet(timeNs, linkHeader(0x0800), ip4(17, fragmentField, udp(port, payload)));
    }

    CaptureFile tagged(final long timeNs, final int port, final byte[] payload)
    {
        return packet(
            timeNs, ByteBuffer.allocate(18).put(new byte[12]).putShort((short)0x8100).putShort((short)7).putShort((short)0x0800)
            .array(), ip4(17, 0, udp(port, payload)));
    }

    CaptureFile raw(final byte[] more)
    {
        bytes.writeBytes(more);
        return this;
    }

    Path write(final Path file) throws IOException
    {
        return Files.write(file, bytes.toByteArray());
    }

    byte[] bytes()
    {
        return bytes.toByteArray();
    }

    /** A data frame with an echo message, padded to 32 bytes. */
    static byte[] frame(final int flags, final int templateId, final long clientId, final long sequence)
    {
        final int length = 64 + MESSAGE_LENGTH;
        final ByteBuffer frame = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(length).put((byte)0).put((byte)flags).putShort((short)1);
        frame.position(32);
        frame.putShort((short)24).putShort((short)1).putShort((short)111).putShort((short)8);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        EchoMessage.encode(message, 0, MESSAGE_LENGTH, templateId, clientId, sequence, 0, new PayloadCheck());
        frame.position(64);
        frame.put(message.byteArray());
        return frame.array();
    }

    static byte[] join(final byte[]... parts)
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final byte[] part : parts)
        {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private CaptureFile packet(final long timeNs, final byte[] link, final byte[] ip)
    {
        final byte[] packet = join(link, ip);
        final int length = Math.min(snapLength, packet.length);
        bytes.writeBytes(ByteBuffer.allocate(16).order(order).putInt((int)(timeNs / 1_000_000_000L))
            .putInt((int)(timeNs % 1_000_000_000L / (isInNs ? 1 : 1_000))).putInt(length).putInt(packet.length).array());
        bytes.write(packet, 0, length);
        return this;
    }

    private byte[] linkHeader(final int type)
    {
        return switch (linkType)
        {
            case 1 -> ByteBuffer.allocate(14).put(new byte[12]).putShort((short)type).array();
            case 113 -> ByteBuffer.allocate(16).put(new byte[14]).putShort((short)type).array();
            case 276 -> ByteBuffer.allocate(20).putShort((short)type).array();
            case 0 -> ByteBuffer.allocate(4).order(order).putInt(2).array();
            default -> new byte[0];
        };
    }

    private static byte[] udp(final int port, final byte[] payload)
    {
        return ByteBuffer.allocate(8 + payload.length).putShort((short)40_000).putShort((short)port)
            .putShort((short)(8 + payload.length)).putShort((short)0).put(payload).array();
    }

    /** With four bytes of options, so that a reader must look at the header's length. */
    private static byte[] ip4(final int protocol, final int fragmentField, final byte[] content)
    {
        return ByteBuffer.allocate(24 + content.length).put((byte)0x46).put((byte)0).putShort((short)(24 + content.length))
            .putShort((short)1).putShort((short)fragmentField).put((byte)64).put((byte)protocol).put(new byte[14]).put(content)
            .array();
    }
}
