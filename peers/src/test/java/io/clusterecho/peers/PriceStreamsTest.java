package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import io.clusterecho.peers.KryonetPeer.PriceStreams;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PriceStreamsTest
{
    private static final int COUNT = 5_000;

    private final PriceStreams prices = new PriceStreams();
    private final RecordingConnection connection = RecordingConnection.open();

    @AfterEach
    void close()
    {
        prices.close();
    }

    @Test
    void shouldSendTheOtherPricesWhenOneConnectionFails() throws InterruptedException
    {
        final RecordingConnection failing = RecordingConnection.closing();
        prices.start(failing, COUNT);
        prices.start(connection, COUNT);

        assertThat(connection.awaitSequences(COUNT)).containsExactly(LongStream.range(0, COUNT).boxed().toArray(Long[]::new));
        assertThat(failing.isConnected()).isFalse();
        // So are streams that are requested later.
        prices.start(connection, 1);
        assertThat(connection.awaitSequences(1)).containsExactly(0L);
    }

    @Test
    void shouldReplaceAStreamThatIsRequestedAgain() throws InterruptedException
    {
        connection.isFull(true);
        prices.start(connection, 1_000_000);
        prices.start(connection, 3);
        connection.isFull(false);

        final List<Long> sent = new ArrayList<>(connection.awaitSequences(3));
        // Time for the replaced stream to send more.
        final RecordingConnection other = RecordingConnection.open();
        prices.start(other, COUNT);
        other.awaitSequences(COUNT);
        sent.addAll(connection.sequences());
        // One price of the replaced stream may have been on its way when the second one was requested.
        assertThat(sent).hasSizeLessThanOrEqualTo(4).containsSubsequence(0L, 1L, 2L);
    }
}
