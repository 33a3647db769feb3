package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.CancelledKeyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.esotericsoftware.kryonet.Connection;

import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.PriceDecoder;

import org.agrona.concurrent.UnsafeBuffer;

/** A connection that keeps what it is to send; or one that another thread is closing, which fails to send and to close. */
final class RecordingConnection extends Connection
{
    private static final long TIMEOUT_S = 20;

    private final BlockingQueue<Object> objects = new LinkedBlockingQueue<>();
    private final boolean isClosing;
    private volatile boolean isFull;
    private volatile boolean isClosed;

    private RecordingConnection(final boolean isClosing)
    {
        this.isClosing = isClosing;
    }

    static RecordingConnection open()
    {
        return new RecordingConnection(false);
    }

    static RecordingConnection closing()
    {
        return new RecordingConnection(true);
    }

    void isFull(final boolean isWriteBufferFull)
    {
        isFull = isWriteBufferFull;
    }

    /** Sequences of the next so many prices, which this waits for. */
    List<Long> awaitSequences(final int count) throws InterruptedException
    {
        final List<Object> prices = new ArrayList<>();
        while (prices.size() < count)
        {
            final Object next = objects.poll(TIMEOUT_S, TimeUnit.SECONDS);
            assertThat(next).as("price %d", prices.size()).isNotNull();
            prices.add(next);
        }

        return sequences(prices);
    }

    /** Sequences of the prices that have not been returned yet. */
    List<Long> sequences()
    {
        final List<Object> prices = new ArrayList<>();
        objects.drainTo(prices);
        return sequences(prices);
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
        if (isClosing)
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
        if (isClosing)
        {
            throw new NullPointerException("the channel that the other thread has just set to null");
        }
    }

    private static List<Long> sequences(final List<Object> prices)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Prices.ENCODED_LENGTH]);
        final PriceDecoder decoder = new PriceDecoder();
        return prices.stream().map((price) ->
        {
            ((KryonetPeer.Price)price).write(new Prices.Writer(), buffer);
            return decoder.wrap(
                buffer, MessageHeaderEncoder.ENCODED_LENGTH, PriceDecoder.BLOCK_LENGTH, PriceDecoder.SCHEMA_VERSION)
                .timestampNs() - Prices.timestampNs(0);
        }).toList();
    }
}
