package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import io.clusterecho.codec.MessageCodec;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestEncoder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The requests in the recorded log: those of its two clients in turn. */
public final class RecordedRequests implements MessageCodec
{
    /** Number of the clients. */
    static final int SESSIONS = 2;

    private final UnsafeBuffer request = new UnsafeBuffer(new byte[RecordedCluster.LONG_LENGTH]);

    @Override
    public void init(final long seed, final Map<String, String> settings)
    {
        assertThat(seed).isEqualTo(7);
        assertThat(settings).containsEntry("scale", "2").containsAnyOf(Map.entry("names", "a=1,b=2"), Map.entry("kinds", "a,b"))
            .hasSize(2);
    }

    @Override
    public int maxRequestLength()
    {
        return RecordedCluster.LONG_LENGTH;
    }

    @Override
    public int encode(final long number, final MutableDirectBuffer buffer, final int offset)
    {
        final long sequence = number / SESSIONS;
        final int length = 0 == sequence % 20 ? RecordedCluster.LONG_LENGTH : RecordedCluster.LENGTH;
        for (int i = EchoMessage.MIN_LENGTH; i < length; i++)
        {
            request.putByte(i, (byte)(sequence + i | 1));
        }
        final boolean isFirst = 0 == number % SESSIONS;
        EchoMessage.encode(
            request, 0, length, isFirst ? EchoRequestEncoder.TEMPLATE_ID : OrderedEchoRequestEncoder.TEMPLATE_ID,
            isFirst ? RecordedCluster.PLAIN_CLIENT : RecordedCluster.ORDERED_CLIENT, sequence, sequence * 1000L,
            new PayloadCheck());
        buffer.putBytes(offset, request, 0, length);
        return length;
    }

    @Override
    public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
    {
        throw new UnsupportedOperationException();
    }
}
