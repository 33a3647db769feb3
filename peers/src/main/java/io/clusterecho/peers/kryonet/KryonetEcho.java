package io.clusterecho.peers.kryonet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;

import io.clusterecho.peers.server.Conversation;
import io.clusterecho.schema.peers.PriceRequestDecoder;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers messages on the update thread of the server. A client has less in flight than fits into the write buffer of its
 * connection, so a reply always fits.
 */
final class KryonetEcho extends Listener
{
    /** A connection ends on any thread that fails to send. */
    private final Map<Connection, Conversation> conversations = new ConcurrentHashMap<>();
    private final PriceStreams prices;

    /** @param prices which send the prices that are requested. */
    KryonetEcho(final PriceStreams prices)
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
                KryonetServer.end(connection);
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
