package io.clusterecho.peers.kryonet;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.esotericsoftware.kryonet.Connection;

import io.clusterecho.peers.server.Conversation;
import io.clusterecho.threads.Uninterrupted;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends the prices of all connections on a thread of its own. On the update thread, which empties write buffers, a long stream
 * would wait for itself.
 */
final class PriceStreams implements AutoCloseable
{
    /** At most this many prices of a stream are sent before it is the turn of the next. */
    static final int PRICES_PER_TURN = 1_024;
    static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long FULL_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final UnsafeBuffer NO_REPLY = new UnsafeBuffer(new byte[0]);

    private final LinkedBlockingQueue<PriceStream> started = new LinkedBlockingQueue<>();
    private final List<PriceStream> streams = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "kryonet-prices");

    /** A stream that was requested; its conversation has received the request only. */
    private record PriceStream(Connection connection, Conversation conversation)
    {
        boolean hasMore()
        {
            return connection.isConnected() && conversation.isStreaming();
        }
    }

    PriceStreams()
    {
        thread.setDaemon(true);
        thread.start();
    }

    /** Start a stream in place of one that this connection still has. */
    void start(final Connection connection, final UnsafeBuffer request)
    {
        final Conversation conversation = new Conversation();
        conversation.take(request, 0, request.capacity(), NO_REPLY, 0);
        started.add(new PriceStream(connection, conversation));
    }

    @Override
    public void close()
    {
        thread.interrupt();
        Uninterrupted.join(thread, STOP_TIMEOUT_NS);
    }

    private void run()
    {
        try
        {
            while (!Thread.currentThread().isInterrupted())
            {
                for (PriceStream next = streams.isEmpty() ? started.take() : started.poll(); null != next; next = started.poll())
                {
                    final Connection connection = next.connection();
                    streams.removeIf((stream) -> stream.connection() == connection);
                    streams.add(next);
                }
                int count = 0;
                for (final PriceStream stream : streams)
                {
                    count += send(stream);
                }
                streams.removeIf((stream) -> !stream.hasMore());
                if (0 == count)
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

    private static int send(final PriceStream stream)
    {
        final Connection connection = stream.connection();
        final Conversation conversation = stream.conversation();
        int count = 0;
        try
        {
            while (count < PRICES_PER_TURN && stream.hasMore() &&
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

        return count;
    }
}
