package io.clusterecho.peers.kryonet;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.esotericsoftware.kryonet.Connection;

import io.clusterecho.peers.server.Conversation;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends the prices of all connections on a thread of its own. On the update thread, which empties write buffers, a long stream
 * would wait for itself.
 */
final class PriceStreams implements AutoCloseable
{
    /** At most this many prices of a stream are sent before it is the turn of the next. */
    static final int PRICES_PER_TURN = 1_024;
    private static final long FULL_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final UnsafeBuffer NO_REPLY = new UnsafeBuffer(new byte[0]);

    /** The stream of each connection: a conversation that has received the request only. */
    private final Map<Connection, Conversation> streams = Collections.synchronizedMap(new IdentityHashMap<>());
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor((task) ->
    {
        final Thread prices = new Thread(task, "kryonet-prices");
        prices.setDaemon(true);
        return prices;
    });

    /** Start a stream in place of one that this connection still has. */
    void start(final Connection connection, final UnsafeBuffer request)
    {
        final Conversation conversation = new Conversation();
        conversation.take(request, 0, request.capacity(), NO_REPLY, 0);
        streams.put(connection, conversation);
        thread.execute(() -> send(connection, conversation));
    }

    @Override
    public void close()
    {
        thread.shutdownNow();
    }

    private void send(final Connection connection, final Conversation conversation)
    {
        if (conversation != streams.get(connection))
        {
            return;
        }

        int count = 0;
        try
        {
            while (count < PRICES_PER_TURN && connection.isConnected() && conversation.isStreaming() &&
                connection.getTcpWriteBufferSize() < KryonetPeer.IN_FLIGHT_LENGTH)
            {
                connection.sendTCP(new KryoPrice(conversation.nextPrice()));
                conversation.onPriceSent();
                count++;
            }
        }
        catch (final RuntimeException ex)
        {
            // For one, a key that the update thread cancelled. The other streams remain.
            KryonetServer.end(connection);
        }

        if (connection.isConnected() && conversation.isStreaming())
        {
            thread.schedule(() -> send(connection, conversation), 0 == count ? FULL_PAUSE_NS : 0, TimeUnit.NANOSECONDS);
        }
        else
        {
            streams.remove(connection, conversation);
        }
    }
}
