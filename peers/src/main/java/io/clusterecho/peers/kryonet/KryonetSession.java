package io.clusterecho.peers.kryonet;

import java.io.IOException;

import com.esotericsoftware.kryonet.Client;
import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import com.esotericsoftware.minlog.Log;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.server.Prices;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.ReplyQueue;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A session over KryoNet, with a client and an update thread of its own. */
final class KryonetSession extends Listener implements Link
{
    private final Client client;
    private final ReplyQueue replies;
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer encoded = new UnsafeBuffer(new byte[Prices.ENCODED_LENGTH]);
    private final Prices.Writer writer = new Prices.Writer();
    private volatile boolean isOpen = true;

    private KryonetSession(final Client client, final ReplyQueue replies)
    {
        this.client = client;
        this.replies = replies;
    }

    static Link dial(final Endpoint endpoint, final ReplyQueue replies, final long timeoutNs) throws IOException
    {
        Log.WARN();
        final Client client = new Client(KryonetPeer.WRITE_LENGTH, KryonetPeer.OBJECT_LENGTH);
        KryonetPeer.register(client.getKryo());
        final KryonetSession session = new KryonetSession(client, replies);
        client.addListener(session);
        client.start();
        try
        {
            client.connect((int)Math.max(1, timeoutNs / 1_000_000), endpoint.host(), endpoint.port());
        }
        catch (final IOException | RuntimeException ex)
        {
            client.stop();
            throw ex;
        }

        return session;
    }

    @Override
    public void received(final Connection connection, final Object object)
    {
        if (object instanceof byte[] bytes)
        {
            final long nowNs = System.nanoTime();
            received.wrap(bytes);
            replies.put(received, 0, bytes.length, nowNs);
        }
        else if (object instanceof KryoPrice price)
        {
            final long nowNs = System.nanoTime();
            price.write(writer, encoded);
            replies.put(encoded, 0, Prices.ENCODED_LENGTH, nowNs);
        }
    }

    @Override
    public void disconnected(final Connection connection)
    {
        isOpen = false;
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        if (client.getTcpWriteBufferSize() + length + KryonetPeer.OVERHEAD > KryonetPeer.IN_FLIGHT_LENGTH)
        {
            return SendResult.BACK_PRESSURED;
        }

        final byte[] bytes = new byte[length];
        message.getBytes(offset, bytes);
        return client.sendTCP(bytes) > 0 ? SendResult.SENT : SendResult.DISCONNECTED;
    }

    @Override
    public boolean isOpen()
    {
        return isOpen;
    }

    @Override
    public void close()
    {
        isOpen = false;
        client.stop();
    }
}
