package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.settings.Settings;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class LoopKindTest
{
    private final LoopKind kind = new LoopKind();

    @Test
    void shouldReplyToWhatItIsSent()
    {
        final int length = 288;
        final List<Integer> replies = new ArrayList<>();
        try (TransportConnector connector = kind.newConnector(
            new TransportRequest(null, length, 1, true, new Settings("peer.", kind.settings()), (error) -> { }));
            Transport transport = connector.newTransport())
        {
            transport.connect(0);
            assertThat(transport.trySend(new UnsafeBuffer(new byte[length]), 0, length)).isEqualTo(SendResult.SENT);
            transport.poll((buffer, offset, replyLength, receiveTimeNs) -> replies.add(replyLength), 1);
        }
        assertThat(replies).containsExactly(length);
    }
}
