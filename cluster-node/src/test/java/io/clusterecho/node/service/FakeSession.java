package io.clusterecho.node.service;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.aeron.DirectBufferVector;
import io.aeron.Publication;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.protocol.DataHeaderFlyweight;
import io.clusterecho.schema.EchoMessage;

/** A session whose egress accepts as many replies as it has credit, and then returns a result set by the test. */
final class FakeSession implements ClientSession
{
    final List<UnsafeBuffer> received = new ArrayList<>();
    long credit = Long.MAX_VALUE;
    long refusal = Publication.BACK_PRESSURED;
    int adminActions;
    int maxLength = Integer.MAX_VALUE;
    boolean isRecording = true;
    boolean isClosing;
    int offerCount;
    int responseStreamId = 1;
    private final long id;
    private final FakeCluster cluster;

    FakeSession(final long id, final FakeCluster cluster)
    {
        this.id = id;
        this.cluster = cluster;
        cluster.sessions.put(id, this);
    }

    List<Long> receivedSequences()
    {
        return received.stream().map((message) -> EchoMessage.sequence(message, 0)).toList();
    }

    List<Integer> receivedTemplates()
    {
        return received.stream().map((message) -> EchoMessage.templateId(message, 0)).toList();
    }

    @Override
    public long id()
    {
        return id;
    }

    @Override
    public int responseStreamId()
    {
        return responseStreamId;
    }

    @Override
    public String responseChannel()
    {
        return "";
    }

    @Override
    public byte[] encodedPrincipal()
    {
        return new byte[0];
    }

    @Override
    public void close()
    {
        cluster.closeClientSession(id);
    }

    @Override
    public boolean isClosing()
    {
        return isClosing;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        final long result = take(length);
        if (result > 0 && isRecording)
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
            message.putBytes(0, buffer, offset, length);
            received.add(message);
        }

        return result;
    }

    @Override
    public long offer(final DirectBufferVector[] vectors)
    {
        int length = 0;
        for (int i = 1; i < vectors.length; i++)
        {
            length += vectors[i].validate().length();
        }

        final long result = take(length);
        if (result > 0 && isRecording)
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
            int at = 0;
            for (int i = 1; i < vectors.length; i++)
            {
                message.putBytes(at, vectors[i].buffer(), vectors[i].offset(), vectors[i].length());
                at += vectors[i].length();
            }
            received.add(message);
        }

        return result;
    }

    @Override
    public long tryClaim(final int length, final BufferClaim bufferClaim)
    {
        if (0 == credit)
        {
            return refusal;
        }

        final int frameLength = DataHeaderFlyweight.HEADER_LENGTH + length;
        bufferClaim.wrap(new UnsafeBuffer(new byte[frameLength]), 0, frameLength);
        return 1;
    }

    private long take(final int length)
    {
        offerCount++;
        if (Cluster.Role.LEADER != cluster.role)
        {
            throw new AssertionError("a reply was offered by a " + cluster.role);
        }

        if (length > maxLength)
        {
            throw new IllegalArgumentException("message exceeds maxMessageLength of " + maxLength + ", length=" + length);
        }

        if (adminActions > 0)
        {
            adminActions--;
            return Publication.ADMIN_ACTION;
        }

        if (0 == credit)
        {
            return refusal;
        }

        credit--;
        return 1;
    }
}
