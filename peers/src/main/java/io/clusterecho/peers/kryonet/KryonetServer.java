package io.clusterecho.peers.kryonet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import com.esotericsoftware.kryonet.Server;
import com.esotericsoftware.minlog.Log;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.schema.peers.PriceRequestDecoder;
import io.clusterecho.threads.Uninterrupted;

import org.agrona.concurrent.UnsafeBuffer;

/** Server over KryoNet. Its update thread receives and answers; prices are sent by a thread of their own. */
final class KryonetServer implements PeerServer
{
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Server server;
    private final PriceStreams prices;

    KryonetServer(final Endpoint endpoint)
    {
        Log.WARN();
        endpoint.requireFreeTcpPort();
        server = new Server(KryonetPeer.WRITE_LENGTH, KryonetPeer.OBJECT_LENGTH);
        KryonetPeer.register(server.getKryo());
        prices = new PriceStreams();
        server.addListener(new Echo(prices));
        server.start();
        try
        {
            server.bind(endpoint.address(), null);
        }
        catch (final IOException ex)
        {
            server.stop();
            prices.close();
            throw new UncheckedIOException("cannot serve at " + endpoint, ex);
        }
    }

    /** End a connection that failed. KryoNet closes one without a lock, so it may fail where another thread does the same. */
    static void end(final Connection connection)
    {
        try
        {
            connection.close();
        }
        catch (final RuntimeException ex)
        {
            Log.warn("a connection was closed by two threads", ex);
        }
    }

    @Override
    public void close()
    {
        server.stop();
        prices.close();
        Uninterrupted.join(server.getUpdateThread(), STOP_TIMEOUT_NS);
    }

    /**
     * Answers messages on the update thread of the server. A client has less in flight than fits into the write buffer of its
     * connection, so a reply always fits.
     */
    static final class Echo extends Listener
    {
        /** A connection ends on any thread that fails to send. */
        private final Map<Connection, Conversation> conversations = new ConcurrentHashMap<>();
        private final PriceStreams prices;

        Echo(final PriceStreams prices)
        {
            this.prices = prices;
        }

        @Override
        public void received(final Connection connection, final Object object)
        {
            if (object instanceof byte[] bytes)
            {
                try
                {
                    take(connection, bytes);
                }
                catch (final RuntimeException ex)
                {
                    // A malformed message ends its connection, not the update thread.
                    end(connection);
                    conversations.remove(connection);
                }
            }
        }

        @Override
        public void disconnected(final Connection connection)
        {
            conversations.remove(connection);
        }

        private void take(final Connection connection, final byte[] bytes)
        {
            final UnsafeBuffer message = new UnsafeBuffer(bytes);
            if (PriceRequestDecoder.TEMPLATE_ID == Conversation.peersTemplateId(message, 0, bytes.length))
            {
                prices.start(connection, message);
                return;
            }

            final Conversation conversation = conversations.computeIfAbsent(connection, (key) -> new Conversation());
            final byte[] reply = conversation.reply(bytes);
            if (reply.length > 0)
            {
                connection.sendTCP(reply);
            }
        }
    }
}
