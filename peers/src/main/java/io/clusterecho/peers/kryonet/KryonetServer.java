package io.clusterecho.peers.kryonet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import com.esotericsoftware.kryonet.Server;
import com.esotericsoftware.minlog.Log;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Server over KryoNet, on its one update thread. A client has less in flight than fits into the write buffer of its connection,
 * so a reply always fits.
 */
final class KryonetServer implements PeerServer
{
    private static final int STOP_TIMEOUT_MS = 5_000;

    private final Endpoint endpoint;
    private final Server server;

    KryonetServer(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
        Log.WARN();
        endpoint.requireFreeTcpPort();
        server = new Server(KryonetPeer.WRITE_LENGTH, KryonetPeer.OBJECT_LENGTH);
        server.getKryo().register(byte[].class);
        server.addListener(new Answers());
        server.start();
        try
        {
            server.bind(endpoint.address(), null);
        }
        catch (final IOException ex)
        {
            server.stop();
            throw new UncheckedIOException("cannot serve at " + endpoint, ex);
        }
    }

    @Override
    public String endpoints()
    {
        return endpoint.toString();
    }

    @Override
    public void close()
    {
        server.stop();
        try
        {
            server.getUpdateThread().join(STOP_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Called on the update thread.
     */
    private static final class Answers extends Listener
    {
        private final Map<Connection, Conversation> conversations = new HashMap<>();
        private final UnsafeBuffer price = new UnsafeBuffer(new byte[Conversation.PRICE_LENGTH]);

        @Override
        public void connected(final Connection connection)
        {
            conversations.put(connection, new Conversation());
        }

        @Override
        public void disconnected(final Connection connection)
        {
            conversations.remove(connection);
        }

        @Override
        public void received(final Connection connection, final Object object)
        {
            if (object instanceof byte[] bytes)
            {
                final Conversation conversation = conversations.get(connection);
                final UnsafeBuffer message = new UnsafeBuffer(bytes);
                final int length = Conversation.replyLength(message, 0, bytes.length);
                final byte[] reply = new byte[length];
                conversation.take(message, 0, bytes.length, new UnsafeBuffer(reply), 0);
                if (length > 0)
                {
                    connection.sendTCP(reply);
                }
                stream(connection, conversation);
            }
        }

        @Override
        public void idle(final Connection connection)
        {
            final Conversation conversation = conversations.get(connection);
            if (null != conversation)
            {
                stream(connection, conversation);
            }
        }

        private void stream(final Connection connection, final Conversation conversation)
        {
            while (conversation.isStreaming() && connection.isConnected() &&
                connection.getTcpWriteBufferSize() < KryonetPeer.IN_FLIGHT_LENGTH)
            {
                conversation.writePrice(price, 0);
                connection.sendTCP(price.byteArray());
                conversation.onPriceSent();
            }
        }
    }
}
