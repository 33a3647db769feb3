package io.clusterecho.client.witness;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;

import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds requests and replies of a run in captured datagrams. A datagram has one or more Aeron frames, each aligned to 32 bytes;
 * a data frame of a cluster has a session header and one message:
 * <pre>
 *   length 4 | version 1 | flags 1 | type 2 | ... 24 | session header 32 | echo message
 * </pre>
 * A frame that is only a part of a message is counted and not used. The first capture of each message counts, so that one which
 * was sent again takes as long as the client had to wait.
 */
final class WireTimes implements PacketCapture.Handler
{
    /** Of a message that was not captured. */
    static final long NONE = Long.MIN_VALUE;

    private static final int FRAME_HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int SESSION_HEADER_LENGTH = 32;
    private static final int MESSAGE_OFFSET = FRAME_HEADER_LENGTH + SESSION_HEADER_LENGTH;
    private static final int FLAGS_OFFSET = 5;
    private static final int TYPE_OFFSET = 6;
    private static final int TYPE_DATA = 1;
    private static final int UNFRAGMENTED = 0xc0;
    private static final int CLUSTER_SCHEMA_ID = 111;
    private static final int CLUSTER_SCHEMA_ID_OFFSET = FRAME_HEADER_LENGTH + 4;

    private final long firstClientId;
    private final int sessionCount;
    private final Set<Integer> ingressPorts;
    private final long[] requestNs;
    private final long[] replyNs;
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private long fragmentCount;
    private long cutCount;

    /**
     * @param firstClientId of the run; the others count up from it.
     * @param sessionCount  of the run: message n belongs to session n mod this.
     * @param ingressPorts  of the members: a message to another port is in the log of a member.
     */
    WireTimes(final long firstClientId, final int sessionCount, final int messageCount, final Set<Integer> ingressPorts)
    {
        this.firstClientId = firstClientId;
        this.sessionCount = sessionCount;
        this.ingressPorts = Set.copyOf(ingressPorts);
        requestNs = new long[messageCount];
        replyNs = new long[messageCount];
        Arrays.fill(requestNs, NONE);
        Arrays.fill(replyNs, NONE);
    }

    @Override
    public void onDatagram(final long timeNs, final int destinationPort, final ByteBuffer payload)
    {
        final int end = payload.limit();
        int offset = payload.position();
        payload.order(ByteOrder.LITTLE_ENDIAN);
        while (offset + FRAME_HEADER_LENGTH <= end)
        {
            final int length = payload.getInt(offset);
            if (length < FRAME_HEADER_LENGTH)
            {
                // A heartbeat has a length of 0, and nothing follows it.
                return;
            }
            if (TYPE_DATA == (payload.getShort(offset + TYPE_OFFSET) & 0xffff))
            {
                onFrame(timeNs, destinationPort, payload, offset, length, end);
            }
            offset += BitUtil.align(length, FRAME_HEADER_LENGTH);
        }
    }

    /**
     * Time from request to reply on the wire.
     *
     * @return in ns, or {@link #NONE} if one of them was not captured.
     */
    long serviceTimeNs(final int index)
    {
        return NONE == requestNs[index] || NONE == replyNs[index] ? NONE : replyNs[index] - requestNs[index];
    }

    /** Data frames of a cluster that are a part of a message. */
    long fragmentCount()
    {
        return fragmentCount;
    }

    /** Data frames that were captured only up to before their message. */
    long cutCount()
    {
        return cutCount;
    }

    private void onFrame(
        final long timeNs,
        final int destinationPort,
        final ByteBuffer payload,
        final int offset,
        final int length,
        final int end)
    {
        if (length < MESSAGE_OFFSET + EchoMessage.MIN_LENGTH)
        {
            return;
        }
        if (offset + MESSAGE_OFFSET + EchoMessage.MIN_LENGTH > end)
        {
            cutCount++;
            return;
        }
        if (CLUSTER_SCHEMA_ID != (payload.getShort(offset + CLUSTER_SCHEMA_ID_OFFSET) & 0xffff))
        {
            return;
        }
        if (UNFRAGMENTED != (payload.get(offset + FLAGS_OFFSET) & UNFRAGMENTED))
        {
            fragmentCount++;
            return;
        }

        frame.wrap(payload, 0, end);
        final int message = offset + MESSAGE_OFFSET;
        final long session = EchoMessage.clientId(frame, message) - firstClientId;
        if (EchoResponseDecoder.SCHEMA_ID != EchoMessage.schemaId(frame, message) || session < 0 || session >= sessionCount)
        {
            return;
        }
        final long sequence = EchoMessage.sequence(frame, message);
        final long index = sequence * sessionCount + session;
        if (sequence < 0 || sequence >= requestNs.length || index >= requestNs.length)
        {
            return;
        }
        final int templateId = EchoMessage.templateId(frame, message);
        if (EchoMessage.isRequest(templateId) && ingressPorts.contains(destinationPort))
        {
            setFirst(requestNs, (int)index, timeNs);
        }
        else if (EchoResponseDecoder.TEMPLATE_ID == templateId || RepeatedEchoResponseDecoder.TEMPLATE_ID == templateId)
        {
            setFirst(replyNs, (int)index, timeNs);
        }
    }

    private static void setFirst(final long[] times, final int index, final long timeNs)
    {
        times[index] = NONE == times[index] ? timeNs : Math.min(times[index], timeNs);
    }
}
