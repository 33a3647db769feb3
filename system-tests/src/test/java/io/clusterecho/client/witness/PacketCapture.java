package io.clusterecho.client.witness;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the UDP datagrams of a capture file: classic pcap of either byte order, with stamps in us or ns, of Ethernet, raw IP, BSD
 * loopback or Linux cooked packets; IPv4 and IPv6. Pieces of fragmented IP packets are counted and skipped.
 * <pre>
 *   file     magic 4 | version 4 | 0 4 | 0 4 | snapshot length 4 | link type 4
 *   packet   s 4 | us or ns 4 | captured length 4 | length on the wire 4 | bytes
 * </pre>
 * Source: draft-ietf-opsawg-pcap; link types of tcpdump.org/linktypes.html.
 */
final class PacketCapture
{
    private static final int MAGIC_US = 0xa1b2c3d4;
    private static final int MAGIC_NS = 0xa1b23c4d;
    private static final int MAGIC_PCAPNG = 0x0a0d0d0a;
    private static final int FILE_HEADER_LENGTH = 24;
    private static final int PACKET_HEADER_LENGTH = 16;
    private static final int MAX_PACKET_LENGTH = 1 << 20;
    private static final int UDP = 17;
    private static final int UDP_HEADER_LENGTH = 8;
    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86dd;
    private static final int TYPE_VLAN = 0x8100;
    private static final int FRAGMENT_MASK = 0x3fff;

    private final Path file;
    private long packetCount;
    private long pieceCount;
    private long cutCount;
    private boolean isFileCut;

    /** Receives the datagrams, in the order of the file. */
    @FunctionalInterface
    interface Handler
    {
        /**
         * A datagram.
         *
         * @param timeNs          stamp since 1970, in ns.
         * @param payload         what was captured of it, from position to limit; valid only during the call.
         */
        void onDatagram(long timeNs, int destinationPort, ByteBuffer payload);
    }

    PacketCapture(final Path file)
    {
        this.file = file;
    }

    /**
     * Read to the end, once.
     *
     * @throws IOException if the file cannot be read, or has another format than this can read; the message names the file.
     */
    void read(final Handler handler) throws IOException
    {
        try (InputStream buffered = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            DataInputStream in = new DataInputStream(buffered))
        {
            final byte[] header = in.readNBytes(FILE_HEADER_LENGTH);
            if (header.length < FILE_HEADER_LENGTH)
            {
                throw new IOException(file + " is not a capture: it has " + header.length + " bytes");
            }
            final ByteBuffer fields = ByteBuffer.wrap(header);
            fields.order(order(fields.getInt(0)));
            final boolean isInNs = MAGIC_NS == fields.getInt(0);
            // The upper bits are flags.
            final int linkType = fields.getInt(20) & 0xffff;
            checkLinkType(linkType);
            byte[] packet = new byte[1 << 16];
            while (true)
            {
                final byte[] packetHeader = in.readNBytes(PACKET_HEADER_LENGTH);
                if (packetHeader.length < PACKET_HEADER_LENGTH)
                {
                    isFileCut = packetHeader.length > 0;
                    return;
                }
                final ByteBuffer words = ByteBuffer.wrap(packetHeader).order(fields.order());
                final int length = words.getInt(8);
                if (length < 0 || length > MAX_PACKET_LENGTH)
                {
                    throw new IOException(
                        file + " is damaged: packet " + (packetCount + 1) + " has " + length + " bytes, allowed are 0 to " +
                        MAX_PACKET_LENGTH);
                }
                packet = length > packet.length ? new byte[length] : packet;
                if (in.readNBytes(packet, 0, length) < length)
                {
                    isFileCut = true;
                    return;
                }
                packetCount++;
                cutCount += length < words.getInt(12) ? 1 : 0;
                final long timeNs = (words.getInt(0) & 0xffff_ffffL) * 1_000_000_000L +
                    (words.getInt(4) & 0xffff_ffffL) * (isInNs ? 1 : 1_000);
                onPacket(handler, timeNs, linkType, ByteBuffer.wrap(packet, 0, length));
            }
        }
    }

    /** Packets in the file, of any protocol. */
    long packetCount()
    {
        return packetCount;
    }

    /** Packets of which the file has only the first part, because the snapshot length was too short. */
    long cutCount()
    {
        return cutCount;
    }

    /** Pieces of datagrams that IP had fragmented, which were skipped. */
    long pieceCount()
    {
        return pieceCount;
    }

    /** Whether the file ends within a packet. */
    boolean isFileCut()
    {
        return isFileCut;
    }

    private ByteOrder order(final int magic) throws IOException
    {
        if (MAGIC_US == magic || MAGIC_NS == magic)
        {
            return ByteOrder.BIG_ENDIAN;
        }
        final int reversed = Integer.reverseBytes(magic);
        if (MAGIC_US == reversed || MAGIC_NS == reversed)
        {
            return ByteOrder.LITTLE_ENDIAN;
        }

        throw new IOException(String.format(
            "%s is not a capture in pcap format: it begins with %08x%s", file, magic,
            MAGIC_PCAPNG == magic ? ", that of pcapng; tcpdump -w writes pcap" : ""));
    }

    private void checkLinkType(final int linkType) throws IOException
    {
        switch (linkType)
        {
            case 0, 1, 12, 14, 101, 108, 113, 276 ->
            {
            }
            default -> throw new IOException(
                file + " has packets of link type " + linkType + "; allowed are 0 (loopback), 1 (Ethernet), 101 (IP), " +
                "113 and 276 (Linux cooked)");
        }
    }

    private void onPacket(final Handler handler, final long timeNs, final int linkType, final ByteBuffer packet)
    {
        final int ip = ipOffset(linkType, packet);
        if (ip < 0 || packet.limit() < ip + 20)
        {
            return;
        }
        final int udp = udpOffset(packet, ip);
        if (udp < 0 || packet.limit() < udp + UDP_HEADER_LENGTH)
        {
            return;
        }
        final int end = Math.min(packet.limit(), udp + Math.max(UDP_HEADER_LENGTH, packet.getShort(udp + 4) & 0xffff));
        final int port = packet.getShort(udp + 2) & 0xffff;
        packet.limit(end).position(udp + UDP_HEADER_LENGTH);
        handler.onDatagram(timeNs, port, packet);
    }

    /** Offset of the IP header, or -1 for other protocols. */
    private static int ipOffset(final int linkType, final ByteBuffer packet)
    {
        return switch (linkType)
        {
            case 1 ->
            {
                int offset = 12;
                while (packet.limit() >= offset + 2 && TYPE_VLAN == (packet.getShort(offset) & 0xffff))
                {
                    offset += 4;
                }
                yield ofType(packet, offset, offset + 2);
            }
            case 113 -> ofType(packet, 14, 16);
            case 276 -> ofType(packet, 0, 20);
            // The version of IP says which it is, and the address family before it has the byte order of the capturing host.
            case 0, 108 -> 4;
            default -> 0;
        };
    }

    private static int ofType(final ByteBuffer packet, final int typeOffset, final int ipOffset)
    {
        final int type = packet.limit() < typeOffset + 2 ? 0 : packet.getShort(typeOffset) & 0xffff;
        return TYPE_IPV4 == type || TYPE_IPV6 == type ? ipOffset : -1;
    }

    /** Offset of the UDP header, or -1 for other protocols and pieces. */
    private int udpOffset(final ByteBuffer packet, final int ip)
    {
        final int version = packet.get(ip) >> 4 & 0xf;
        if (4 == version)
        {
            if (UDP != packet.get(ip + 9))
            {
                return -1;
            }
            if (0 != (packet.getShort(ip + 6) & FRAGMENT_MASK))
            {
                pieceCount++;
                return -1;
            }
            return ip + (packet.get(ip) & 0xf) * 4;
        }
        if (6 == version && 44 == packet.get(ip + 6))
        {
            pieceCount++;
            return -1;
        }

        return 6 == version && UDP == packet.get(ip + 6) ? ip + 40 : -1;
    }
}
