package io.clusterecho.peers.kryonet;

import java.io.IOException;
import java.nio.ByteBuffer;

import com.esotericsoftware.kryonet.Client;
import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import com.esotericsoftware.minlog.Log;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.server.Prices;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.ReplyQueue;

import org.agrona.concurrent.UnsafeBuffer;

/** A session over KryoNet, with a client and an update thread of its own. */
final class KryonetSession extends Link
{
    private final Client client = new Client(KryonetPeer.WRITE_LENGTH, KryonetPeer.OBJECT_LENGTH);

    KryonetSession(final Endpoint endpoint, final ReplyQueue replies, final long timeoutNs) throws IOException
    {
        super(replies);
        Log.WARN();
        KryonetPeer.register(client.getKryo());
        client.addListener(new Replies());
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
    }

    @Override
    protected boolean isReady(final int length)
    {
        return client.getTcpWriteBufferSize() + length + KryonetPeer.OVERHEAD <= KryonetPeer.IN_FLIGHT_LENGTH;
    }

    @Override
    protected SendResult send(final byte[] message)
    {
        return client.sendTCP(message) > 0 ? SendResult.SENT : SendResult.DISCONNECTED;
    }

    @Override
    protected void release()
    {
        client.stop();
    }

    /** Called by the update thread. */
    private final class Replies extends Listener
    {
        private final ByteBuffer encoded = ByteBuffer.allocate(Prices.ENCODED_LENGTH);
        private final UnsafeBuffer price = new UnsafeBuffer(encoded);
        private final Prices.Writer writer = new Prices.Writer();

        @Override
        public void received(final Connection connection, final Object object)
        {
            final long nowNs = System.nanoTime();
            if (object instanceof byte[] bytes)
            {
                take(ByteBuffer.wrap(bytes), nowNs);
            }
            else if (object instanceof KryoPrice received)
            {
                received.write(writer, price);
                take(encoded, nowNs);
            }
        }

        @Override
        public void disconnected(final Connection connection)
        {
            fail();
        }
    }
}
