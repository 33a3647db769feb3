package io.clusterecho.peers.kryonet;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Server;
import com.esotericsoftware.minlog.Log;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;

/** Server over KryoNet. Its update thread receives and answers; prices are sent by a thread of their own. */
final class KryonetServer implements PeerServer
{
    private static final int STOP_TIMEOUT_MS = 5_000;

    private final Server server;
    private final PriceStreams prices;

    KryonetServer(final Endpoint endpoint)
    {
        Log.WARN();
        endpoint.requireFreeTcpPort();
        server = new Server(KryonetPeer.WRITE_LENGTH, KryonetPeer.OBJECT_LENGTH);
        KryonetPeer.register(server.getKryo());
        prices = new PriceStreams();
        server.addListener(new KryonetEcho(prices));
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
        try
        {
            server.getUpdateThread().join(STOP_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
