package io.clusterecho.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.grpc.api.EchoGrpc;
import io.clusterecho.peers.grpc.api.Price;
import io.clusterecho.peers.grpc.api.PriceRequest;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.Setting;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.OpenSsl;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.SelfSignedCertificate;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.agrona.concurrent.UnsafeBuffer;

/** gRPC on Netty: a bidirectional stream for all messages of a session, by its default executor, unless its traits differ. */
public record GrpcPeer(String name, Set<Trait> traits) implements Peer
{
    private static final int MAX_MESSAGE_LENGTH = 16 << 20;

    /** How a variant differs. */
    public enum Trait
    {
        /** A call for each message. */
        UNARY,
        /** Encrypted by TLS. */
        TLS,
        /** Netty's threads run the observers of the server, by a direct executor. */
        DIRECT_SERVER,
        /** Those of the client too. */
        DIRECT_CLIENT
    }

    /** Messages of a stream of prices that the client requests at once. */
    public static final Setting<Integer> DEMAND = Setting.ofInt(
        "peer.demand", "64", 1, 1 << 20, "Prices that the client requests at once; 1 is gRPC's own default.");

    public GrpcPeer(final String name, final Trait... traits)
    {
        this(name, Set.of(traits));
    }

    @Override
    public List<Setting<?>> settings()
    {
        return is(Trait.UNARY) ? List.of(inFlight()) : List.of(inFlight(), DEMAND);
    }

    @Override
    public Map<String, String> facts()
    {
        return Peer.facts(
            name,
            "gRPC " + Peer.version("grpc") + " on its own Netty, Protobuf " + Peer.version("protobuf"),
            "not replicated, not durable, " + (is(Trait.UNARY) ? "not ordered" : "ordered") +
            "; lossless within a session",
            (is(Trait.TLS) ? "TLS by " + tlsProvider() + "; " : "") +
            executor() + "; a channel per session; " +
            (is(Trait.UNARY) ? "by default at most 256 calls in flight" :
            "flow control on both sides, messages requested in batches of 32"));
    }

    @Override
    public Experiment experiment(final boolean isStream)
    {
        return new Experiment(
            "gRPC" + (is(Trait.TLS) ? " over TLS" : "") +
            (is(Trait.DIRECT_CLIENT) ? " with direct executors on both sides" :
            is(Trait.DIRECT_SERVER) ? " with a direct executor on the server" : ""),
            is(Trait.UNARY) ? Experiment.UNARY : Experiment.BIDIRECTIONAL,
            isStream ? Experiment.PRICE : Experiment.PROTOBUF_BYTES, "", "", "", Map.of());
    }

    @Override
    public Set<String> loads()
    {
        return is(Trait.UNARY) ? Set.of(CALLS) : Set.of(PRICE_STREAM, ONE_WAY);
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        final int demand = is(Trait.UNARY) ? 0 : request.settings().value(DEMAND);
        final int limit = request.settings().value(inFlight());
        return () -> new QueuedTransport(
            (replies, timeoutNs) -> dial(endpoint, demand, replies, timeoutNs), endpoint.toString(), !is(Trait.UNARY), limit,
            request.lengthBytes());
    }

    /** Open a session, with a channel of its own. */
    private Link dial(final Endpoint endpoint, final int demand, final ReplyQueue replies, final long timeoutNs)
        throws Exception
    {
        final NettyChannelBuilder builder =
            NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port()).maxInboundMessageSize(MAX_MESSAGE_LENGTH);
        if (is(Trait.TLS))
        {
            // The key of each start of a server is new, and what is measured is encryption, not trust.
            builder.sslContext(GrpcSslContexts.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE).build());
        }
        else
        {
            builder.usePlaintext();
        }
        if (is(Trait.DIRECT_CLIENT))
        {
            builder.directExecutor();
        }
        final GrpcSession session = new GrpcSession(builder.build(), replies, is(Trait.UNARY), demand);
        session.open(timeoutNs);
        return session;
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        endpoint.requireFreeTcpPort();
        final NettyServerBuilder builder = NettyServerBuilder.forAddress(endpoint.address())
            .maxInboundMessageSize(MAX_MESSAGE_LENGTH)
            .addService(EchoGrpc.bindService(new EchoService()));
        if (is(Trait.DIRECT_SERVER))
        {
            builder.directExecutor();
        }
        try
        {
            if (is(Trait.TLS))
            {
                builder.sslContext(newServerTls());
            }
            final Server server = builder.build().start();
            return () -> close(server);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot serve at " + endpoint, ex);
        }
    }

    private static String tlsProvider()
    {
        return OpenSsl.isAvailable() ? OpenSsl.versionString() + " of netty-tcnative" : "the TLS of the JDK";
    }

    /** TLS with a new key. Its class is for tests, and so deprecated. */
    @SuppressWarnings("deprecation")
    private static SslContext newServerTls() throws IOException
    {
        try
        {
            final SelfSignedCertificate made =
                SelfSignedCertificate.builder().fqdn("localhost").algorithm("EC").bits(256).build();
            // What is in memory suffices.
            made.delete();
            return GrpcSslContexts.configure(SslContextBuilder.forServer(made.key(), made.cert())).build();
        }
        catch (final CertificateException ex)
        {
            throw new IOException("no key for TLS", ex);
        }
    }

    private static void close(final Server server)
    {
        server.shutdownNow();
        try
        {
            server.awaitTermination(5, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private boolean is(final Trait trait)
    {
        return traits.contains(trait);
    }

    private String executor()
    {
        return is(Trait.DIRECT_CLIENT) ? "direct executor on both sides" :
            is(Trait.DIRECT_SERVER) ? "direct executor on the server" : "default executor";
    }

    private Setting<Integer> inFlight()
    {
        return is(Trait.UNARY) ? QueuedTransport.CALLS_IN_FLIGHT : QueuedTransport.IN_FLIGHT;
    }

    /** A Protobuf message with bytes, which must not change. */
    static BytesValue message(final byte[] bytes)
    {
        return BytesValue.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(bytes)).build();
    }

    /** The service of {@code echo.proto}. */
    private static final class EchoService implements EchoGrpc.AsyncService
    {
        @Override
        public StreamObserver<BytesValue> stream(final StreamObserver<BytesValue> responses)
        {
            return new Session((ServerCallStreamObserver<BytesValue>)responses);
        }

        @Override
        public void call(final BytesValue request, final StreamObserver<BytesValue> responses)
        {
            final BytesValue reply = reply(new Conversation(), request.getValue());
            // Any other bytes come back as they are.
            responses.onNext(null == reply ? request : reply);
            responses.onCompleted();
        }

        @Override
        public void prices(final PriceRequest request, final StreamObserver<Price> responses)
        {
            new PriceSession((ServerCallStreamObserver<Price>)responses, request.getCount());
        }

        private static BytesValue reply(final Conversation conversation, final ByteString request)
        {
            final UnsafeBuffer message = new UnsafeBuffer(request.asReadOnlyByteBuffer());
            final int length = Conversation.replyLength(message, 0, request.size());
            final byte[] bytes = new byte[length];
            conversation.take(message, 0, request.size(), new UnsafeBuffer(bytes), 0);
            return 0 == length ? null : message(bytes);
        }

        /**
         * One stream. It requests messages only while its replies are accepted, so a client that does not read is not read from
         * either. gRPC calls it on one thread at a time.
         */
        private static final class Session implements StreamObserver<BytesValue>
        {
            private static final int REQUEST_COUNT = 64;

            private final ServerCallStreamObserver<BytesValue> responses;
            private final Conversation conversation = new Conversation();
            private int heldCount;

            Session(final ServerCallStreamObserver<BytesValue> responses)
            {
                this.responses = responses;
                responses.disableAutoRequest();
                responses.setOnReadyHandler(this::askForMore);
                responses.setOnCancelHandler(() -> { });
                responses.request(REQUEST_COUNT);
            }

            @Override
            public void onNext(final BytesValue request)
            {
                final BytesValue reply = reply(conversation, request.getValue());
                if (null != reply)
                {
                    responses.onNext(reply);
                }
                heldCount++;
                askForMore();
            }

            @Override
            public void onError(final Throwable error)
            {
                // The client is gone: there is nothing left to do.
            }

            @Override
            public void onCompleted()
            {
                responses.onCompleted();
            }

            /** In batches, because each request is passed to Netty's thread. */
            private void askForMore()
            {
                if (heldCount >= REQUEST_COUNT / 2 && responses.isReady())
                {
                    responses.request(heldCount);
                    heldCount = 0;
                }
            }
        }

        /**
         * A stream of prices, each a message with its fields. It sends while gRPC accepts more, and continues when gRPC reports
         * that it does again.
         */
        private static final class PriceSession
        {
            private final ServerCallStreamObserver<Price> responses;
            private final long count;
            private long next;

            PriceSession(final ServerCallStreamObserver<Price> responses, final long count)
            {
                this.responses = responses;
                this.count = count;
                responses.setOnCancelHandler(() -> { });
                responses.setOnReadyHandler(this::stream);
            }

            private void stream()
            {
                if (next == count)
                {
                    return;
                }

                while (next < count && responses.isReady() && !responses.isCancelled())
                {
                    responses.onNext(Price.newBuilder().setTimestampNs(Prices.timestampNs(next))
                        .setInstrumentId(Prices.instrumentId(next))
                        .setBidPrice(Prices.bidPrice(next)).setBidQuantity(Prices.bidQuantity(next))
                        .setAskPrice(Prices.askPrice(next)).setAskQuantity(Prices.askQuantity(next)).build());
                    next++;
                }
                if (next == count)
                {
                    responses.onCompleted();
                }
            }
        }
    }
}
