package io.clusterecho.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryonet.Client;
import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import com.esotericsoftware.kryonet.Server;
import com.esotericsoftware.minlog.Log;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.Setting;
import io.clusterecho.threads.Uninterrupted;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** KryoNet over TCP. A message is a byte array, a price an object with its fields, serialized by Kryo. */
public record KryonetPeer(String name) implements Peer
{
    /** Maximum message length including its frame. */
    static final int OBJECT_LENGTH = (1 << 20) + 64;
    /** Write buffer of one connection in bytes; KryoNet closes a connection that would exceed it. */
    static final int WRITE_LENGTH = 8 << 20;
    /** Maximum bytes that are queued in one session. */
    static final int IN_FLIGHT_LENGTH = WRITE_LENGTH / 2;
    /** Maximum overhead of KryoNet and Kryo for a message in bytes. */
    static final int OVERHEAD = 16;

    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Register the classes of messages, in the same order on both sides. */
    static void register(final Kryo kryo)
    {
        kryo.register(byte[].class);
        kryo.register(Price.class);
    }

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(QueuedTransport.IN_FLIGHT);
    }

    @Override
    public Map<String, String> facts()
    {
        return Peer.facts(
            name,
            "KryoNet " + Peer.version("kryonet") + " with Kryo " + Peer.version("kryo"),
            "not replicated, not durable, ordered; lossless within a session",
            "write buffers of 8 MiB, because it closes a connection whose buffer is full; at most 4 MiB queued; " +
            "the thread that receives answers, a thread of its own sends prices");
    }

    @Override
    public Experiment experiment(final boolean isStream)
    {
        final String kryo = Peer.version("kryo");
        return new Experiment(
            "KryoNet", Experiment.REQUEST_RESPONSE, isStream ? Experiment.PRICE : Experiment.BYTES, "", "", "",
            !isStream ? Map.of(Experiment.KRYO, kryo) :
            Map.of(Experiment.KRYO, kryo, Experiment.QUEUED, (IN_FLIGHT_LENGTH >> 20) + " MiB"));
    }

    @Override
    public Set<String> loads()
    {
        return Set.of(PRICE_STREAM, ONE_WAY);
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final int fittingCount = Math.max(1, IN_FLIGHT_LENGTH / (request.lengthBytes() + OVERHEAD));
        final int limit = Math.min(fittingCount, request.settings().value(QueuedTransport.IN_FLIGHT));
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return () -> new QueuedTransport(
            (replies, timeoutNs) -> new Session(endpoint, replies, timeoutNs), endpoint.toString(), true, limit,
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        Log.WARN();
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        endpoint.requireFreeTcpPort();
        final Server server = new Server(WRITE_LENGTH, OBJECT_LENGTH);
        register(server.getKryo());
        final PriceStreams prices = new PriceStreams();
        final PeerServer served = () ->
        {
            server.stop();
            prices.close();
            Uninterrupted.join(server.getUpdateThread(), STOP_TIMEOUT_NS);
        };
        server.addListener(new Echo(prices));
        server.start();
        try
        {
            server.bind(endpoint.address(), null);
        }
        catch (final IOException ex)
        {
            served.close();
            throw new UncheckedIOException("cannot serve at " + endpoint, ex);
        }
        return served;
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

    /** A session over KryoNet, with a client and an update thread of its own. */
    private static final class Session extends Link
    {
        private final Client client = new Client(WRITE_LENGTH, OBJECT_LENGTH);

        Session(final Endpoint endpoint, final ReplyQueue replies, final long timeoutNs) throws IOException
        {
            super(replies);
            Log.WARN();
            register(client.getKryo());
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
            return client.getTcpWriteBufferSize() + length + OVERHEAD <= IN_FLIGHT_LENGTH;
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
                else if (object instanceof Price received)
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
            final long priceCount = Prices.requested(new UnsafeBuffer(bytes), 0, bytes.length);
            if (priceCount >= 0)
            {
                prices.start(connection, priceCount);
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

    /**
     * Sends the prices of each connection on a thread of its own. On the update thread, which empties write buffers, a long
     * stream would wait for itself.
     */
    static final class PriceStreams implements AutoCloseable
    {
        private static final long FULL_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);

        /** The thread of the stream of each connection. */
        private final Map<Connection, Thread> streams = new ConcurrentHashMap<>();

        /** Start a stream in place of one that this connection still has. */
        void start(final Connection connection, final long count)
        {
            final Thread thread = new Thread(() -> send(connection, count), "kryonet-prices");
            thread.setDaemon(true);
            streams.put(connection, thread);
            thread.start();
        }

        @Override
        public void close()
        {
            streams.clear();
        }

        private void send(final Connection connection, final long count)
        {
            final Thread thread = Thread.currentThread();
            long sequence = 0;
            try
            {
                while (sequence < count && thread == streams.get(connection) && connection.isConnected())
                {
                    if (connection.getTcpWriteBufferSize() < IN_FLIGHT_LENGTH)
                    {
                        connection.sendTCP(new Price(sequence));
                        sequence++;
                    }
                    else
                    {
                        LockSupport.parkNanos(FULL_PAUSE_NS);
                    }
                }
            }
            catch (final RuntimeException ex)
            {
                // For one, a key that the update thread cancelled.
                end(connection);
            }
            streams.remove(connection, thread);
        }
    }

    /** A price as an object that Kryo serializes field by field. Public, because the code that Kryo generates makes instances. */
    public static final class Price
    {
        // Kryo sets the fields.
        private long timestampNs;
        private int instrumentId;
        private int bidPrice;
        private int bidQuantity;
        private int askPrice;
        private int askQuantity;

        /** For Kryo. */
        public Price()
        {
        }

        Price(final long sequence)
        {
            timestampNs = Prices.timestampNs(sequence);
            instrumentId = Prices.instrumentId(sequence);
            bidPrice = Prices.bidPrice(sequence);
            bidQuantity = Prices.bidQuantity(sequence);
            askPrice = Prices.askPrice(sequence);
            askQuantity = Prices.askQuantity(sequence);
        }

        void write(final Prices.Writer writer, final MutableDirectBuffer buffer)
        {
            writer.write(timestampNs, instrumentId, bidPrice, bidQuantity, askPrice, askQuantity, buffer, 0);
        }
    }
}
