package io.clusterecho.peers;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.grpc.api.EchoGrpc;
import io.clusterecho.peers.grpc.api.Price;
import io.clusterecho.peers.grpc.api.PriceRequest;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Setting;
import io.clusterecho.threads.Uninterrupted;

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
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

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
        if (is(Trait.TLS))
        {
            builder.sslContext(newServerTls());
        }
        final Server server = Io.call("cannot serve at " + endpoint, () -> builder.build().start());
        return () ->
        {
            server.shutdownNow();
            Uninterrupted.await(
                System.nanoTime() + STOP_TIMEOUT_NS, (leftNs) -> server.awaitTermination(leftNs, TimeUnit.NANOSECONDS));
        };
    }

    private static String tlsProvider()
    {
        return OpenSsl.isAvailable() ? OpenSsl.versionString() + " of netty-tcnative" : "the TLS of the JDK";
    }

    /** TLS with a new key. Its class is for tests, and so deprecated. */
    @SuppressWarnings("deprecation")
    private static SslContext newServerTls()
    {
        try
        {
            final SelfSignedCertificate made =
                SelfSignedCertificate.builder().fqdn("localhost").algorithm("EC").bits(256).build();
            // What is in memory suffices.
            made.delete();
            return GrpcSslContexts.configure(SslContextBuilder.forServer(made.key(), made.cert())).build();
        }
        catch (final CertificateException | IOException ex)
        {
            throw new IllegalStateException("no key for TLS", ex);
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
        public void prices(final PriceRequest request, final StreamObserver<Price> observer)
        {
            final ServerCallStreamObserver<Price> responses = (ServerCallStreamObserver<Price>)observer;
            final Iterator<Price> prices = LongStream.range(0, request.getCount()).mapToObj(EchoService::price).iterator();
            responses.setOnCancelHandler(() -> { });
            // Called again when gRPC accepts more.
            responses.setOnReadyHandler(() ->
            {
                final boolean isOpen = prices.hasNext();
                while (prices.hasNext() && responses.isReady() && !responses.isCancelled())
                {
                    responses.onNext(prices.next());
                }
                if (isOpen && !prices.hasNext())
                {
                    responses.onCompleted();
                }
            });
        }

        private static Price price(final long sequence)
        {
            return Price.newBuilder().setTimestampNs(Prices.timestampNs(sequence))
                .setInstrumentId(Prices.instrumentId(sequence))
                .setBidPrice(Prices.bidPrice(sequence)).setBidQuantity(Prices.bidQuantity(sequence))
                .setAskPrice(Prices.askPrice(sequence)).setAskQuantity(Prices.askQuantity(sequence)).build();
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
    }
}
