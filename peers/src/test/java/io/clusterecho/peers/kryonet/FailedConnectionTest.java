package io.clusterecho.peers.kryonet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.CancelledKeyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import com.esotericsoftware.kryonet.Connection;

import io.clusterecho.peers.server.Prices;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.OneWayEndEncoder;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * One connection that fails must end neither the thread of the prices nor the update thread, which all connections share.
 */
class FailedConnectionTest
{
    private static final int COUNT = 5_000;
    private static final long TIMEOUT_S = 20;

    private final PriceStreams prices = new PriceStreams();

    @AfterEach
    void close()
    {
        prices.close();
    }

    @Test
    void shouldSendThePricesOfTheOtherConnections() throws InterruptedException
    {
        final Sent failing = new Sent(true);
        final Sent other = new Sent(false);
        prices.start(failing, request(COUNT));
        prices.start(other, request(COUNT));

        assertThat(other.take(COUNT)).hasSize(COUNT);
        assertThat(failing.isConnected()).isFalse();
    }

    @Test
    void shouldReplaceAStreamThatIsRequestedAgain() throws InterruptedException
    {
        final Sent connection = new Sent(false);
        connection.isFull = true;
        prices.start(connection, request(1_000_000));
        prices.start(connection, request(10));
        connection.isFull = false;

        final List<Long> sequences = new ArrayList<>();
        for (Object next = connection.take(1).get(0); null != next; next = connection.objects.poll(1, TimeUnit.SECONDS))
        {
            sequences.add(sequenceOf(next));
        }
        // One turn of the first stream may have begun when the second was requested.
        assertThat(sequences).hasSizeLessThanOrEqualTo(1_024 + 10).endsWith(LongStream.range(0, 10).boxed().toArray(Long[]::new));
    }

    @Test
    void shouldEndTheConnectionThatCannotBeAnswered()
    {
        final KryonetEcho echo = new KryonetEcho(prices);
        final Sent failing = new Sent(true);
        final byte[] oneWayEnd = new byte[MessageHeaderEncoder.ENCODED_LENGTH + OneWayEndEncoder.BLOCK_LENGTH];
        new OneWayEndEncoder().wrapAndApplyHeader(new UnsafeBuffer(oneWayEnd), 0, new MessageHeaderEncoder()).runId(7);

        echo.received(failing, oneWayEnd);

        assertThat(failing.isConnected()).isFalse();
    }

    @Test
    void shouldEndAConnectionWithATruncatedRequest()
    {
        final Sent connection = new Sent(false);
        final byte[] truncated = new byte[MessageHeaderEncoder.ENCODED_LENGTH];
        request(COUNT).getBytes(0, truncated);

        new KryonetEcho(prices).received(connection, truncated);

        assertThat(connection.isConnected()).isFalse();
        assertThat(connection.objects).isEmpty();
    }

    private static UnsafeBuffer request(final long count)
    {
        final UnsafeBuffer request = new UnsafeBuffer(new byte[64]);
        return new UnsafeBuffer(request, 0, Prices.encodeRequest(count, request));
    }

    private static long sequenceOf(final Object price)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Prices.ENCODED_LENGTH]);
        ((KryoPrice)price).write(new Prices.Writer(), buffer);
        return buffer.getLong(MessageHeaderEncoder.ENCODED_LENGTH);
    }

    /**
     * A connection that keeps what it is to send, or fails to send as one does whose key the update thread has cancelled.
     */
    private static final class Sent extends Connection
    {
        private final BlockingQueue<Object> objects = new LinkedBlockingQueue<>();
        private final boolean isFailing;
        private volatile boolean isFull;
        private volatile boolean isClosed;

        Sent(final boolean isFailing)
        {
            this.isFailing = isFailing;
        }

        @Override
        public boolean isConnected()
        {
            return !isClosed;
        }

        @Override
        public int getTcpWriteBufferSize()
        {
            return isFull ? KryonetPeer.WRITE_LENGTH : 0;
        }

        @Override
        public int sendTCP(final Object object)
        {
            if (isFailing)
            {
                throw new CancelledKeyException();
            }
            objects.add(object);
            return 1;
        }

        @Override
        public void close()
        {
            isClosed = true;
        }

        private List<Object> take(final int count) throws InterruptedException
        {
            final List<Object> taken = new ArrayList<>();
            while (taken.size() < count)
            {
                final Object next = objects.poll(TIMEOUT_S, TimeUnit.SECONDS);
                assertThat(next).as("object %d", taken.size()).isNotNull();
                taken.add(next);
            }

            return taken;
        }
    }
}
