package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.peers.KryonetPeer.PriceStreams;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.OneWayEndEncoder;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is thrown on the update thread ends it, and with it all connections. */
class KryonetEchoTest
{
    private final PriceStreams prices = new PriceStreams();
    private final KryonetPeer.Echo echo = new KryonetPeer.Echo(prices);

    @AfterEach
    void close()
    {
        prices.close();
    }

    @Test
    void shouldEndAConnectionThatCannotBeAnswered()
    {
        final RecordingConnection failing = RecordingConnection.closing();
        final byte[] oneWayEnd = new byte[MessageHeaderEncoder.ENCODED_LENGTH + OneWayEndEncoder.BLOCK_LENGTH];
        new OneWayEndEncoder().wrapAndApplyHeader(new UnsafeBuffer(oneWayEnd), 0, new MessageHeaderEncoder()).runId(7);

        echo.received(failing, oneWayEnd);

        assertThat(failing.isConnected()).isFalse();
    }

    @Test
    void shouldEndAConnectionWithATruncatedRequest()
    {
        final RecordingConnection connection = RecordingConnection.open();
        final UnsafeBuffer request = new UnsafeBuffer(new byte[64]);
        Prices.encodeRequest(3, request);
        final byte[] truncated = new byte[MessageHeaderEncoder.ENCODED_LENGTH];
        request.getBytes(0, truncated);

        echo.received(connection, truncated);

        assertThat(connection.isConnected()).isFalse();
    }
}
