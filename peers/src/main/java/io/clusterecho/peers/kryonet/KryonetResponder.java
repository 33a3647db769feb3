package io.clusterecho.peers.kryonet;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;

import io.clusterecho.peers.server.Conversation;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers messages, and sends prices, on a thread of its own behind a queue. A client has less in flight than fits into the write
 * buffer of its connection, so a reply always fits. The update thread waits while the queue is full, and then reads no more.
 */
final class KryonetResponder implements AutoCloseable
{
    private static final int PRICES_PER_TURN = 1_024;
    private static final int MAX_QUEUED = 1_024;
    private static final long FULL_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final LinkedBlockingQueue<Message> queue = new LinkedBlockingQueue<>(MAX_QUEUED);
    private final Map<Connection, Conversation> conversations = new HashMap<>();
    private final Thread thread = new Thread(this::run, "kryonet-responder");
    private int streamCount;

    /**
     * A received message, or the end of a connection.
     *
     * @param connection that it came over.
     * @param bytes      of the message, null at the end.
     */
    private record Message(Connection connection, byte[] bytes)
    {
    }

    KryonetResponder()
    {
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Called on the update thread.
     */
    Listener listener()
    {
        return new Listener()
        {
            @Override
            public void received(final Connection connection, final Object object)
            {
                if (object instanceof byte[] bytes)
                {
                    put(new Message(connection, bytes));
                }
            }

            @Override
            public void disconnected(final Connection connection)
            {
                put(new Message(connection, null));
            }
        };
    }

    @Override
    public void close()
    {
        thread.interrupt();
        try
        {
            thread.join(STOP_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void put(final Message message)
    {
        try
        {
            queue.put(message);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        try
        {
            while (!Thread.currentThread().isInterrupted())
            {
                // Without a stream there is nothing to do before the next message.
                final Message message = 0 == streamCount ? queue.take() : queue.poll();
                if (null != message)
                {
                    take(message);
                }
                else if (0 == stream())
                {
                    LockSupport.parkNanos(FULL_PAUSE_NS);
                }
            }
        }
        catch (final InterruptedException ex)
        {
            // Closed.
        }
    }

    private void take(final Message message)
    {
        final Connection connection = message.connection();
        final byte[] bytes = message.bytes();
        if (null == bytes)
        {
            conversations.remove(connection);
            countStreams();
            return;
        }

        final Conversation conversation = conversations.computeIfAbsent(connection, (key) -> new Conversation());
        final UnsafeBuffer request = new UnsafeBuffer(bytes);
        final byte[] reply = new byte[Conversation.replyLength(request, 0, bytes.length)];
        conversation.take(request, 0, bytes.length, new UnsafeBuffer(reply), 0);
        if (reply.length > 0)
        {
            connection.sendTCP(reply);
        }
        else
        {
            countStreams();
        }
    }

    private int stream()
    {
        int count = 0;
        for (final Map.Entry<Connection, Conversation> entry : conversations.entrySet())
        {
            final Connection connection = entry.getKey();
            final Conversation conversation = entry.getValue();
            for (int i = 0; i < PRICES_PER_TURN && conversation.isStreaming() && connection.isConnected() &&
                connection.getTcpWriteBufferSize() < KryonetPeer.IN_FLIGHT_LENGTH; i++)
            {
                connection.sendTCP(new KryoPrice(conversation.nextPrice()));
                conversation.onPriceSent();
                count++;
            }
        }
        countStreams();
        return count;
    }

    private void countStreams()
    {
        streamCount = (int)conversations.values().stream().filter(Conversation::isStreaming).count();
    }
}
