package io.clusterecho.peers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.schema.peers.PriceRequestDecoder;
import io.clusterecho.settings.Setting;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.FluxSink.OverflowStrategy;
import reactor.core.publisher.Mono;

/** RSocket over TCP: a stream in both directions, or a request for each message. */
public record RSocketPeer(String name, boolean isChannel) implements Peer
{
    @Override
    public List<Setting<?>> settings()
    {
        return List.of(inFlight());
    }

    @Override
    public Map<String, String> facts()
    {
        return Peer.facts(
            name,
            "RSocket " + Peer.version("rsocket") + " over TCP on reactor-netty " + Peer.version("reactor-netty"),
            "not replicated, not durable, " + (isChannel ? "ordered" : "not ordered") +
            "; lossless within a session",
            "zero-copy decoder; a connection per session" +
            (isChannel ?
                "; sends as many messages as the other side has requested" : "; by default at most 256 requests in flight"));
    }

    @Override
    public Experiment experiment(final boolean isStream)
    {
        return new Experiment(
            "RSocket over TCP", isChannel ? Experiment.BIDIRECTIONAL : Experiment.REQUEST_RESPONSE,
            isStream ? "a price of one long and five ints in SBE" : Experiment.BYTES, "", "", "", Map.of());
    }

    @Override
    public Set<String> loads()
    {
        return isChannel ? Set.of() : Set.of(PRICE_STREAM);
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        final int limit = request.settings().value(inFlight());
        return () -> new QueuedTransport(
            (replies, timeoutNs) -> dial(endpoint, replies, timeoutNs), endpoint.toString(), isChannel, limit,
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        endpoint.requireFreeTcpPort();
        return RSocketServer.create(SocketAcceptor.with(new Echo()))
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .bindNow(TcpServerTransport.create(endpoint.host(), endpoint.port()))::dispose;
    }

    private Setting<Integer> inFlight()
    {
        return isChannel ? QueuedTransport.IN_FLIGHT : QueuedTransport.CALLS_IN_FLIGHT;
    }

    private Link dial(final Endpoint endpoint, final ReplyQueue replies, final long timeoutNs)
    {
        final RSocket socket = RSocketConnector.create()
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .connect(TcpClientTransport.create(endpoint.host(), endpoint.port()))
            .block(Duration.ofNanos(timeoutNs));
        return isChannel ? new Channel(socket, replies) : new Session(socket, replies);
    }

    /** Answers requests. A conversation has no state for echoes. */
    private static final class Echo implements RSocket
    {
        @Override
        public Mono<Payload> requestResponse(final Payload request)
        {
            return Mono.just(reply(request));
        }

        @Override
        public Flux<Payload> requestChannel(final Publisher<Payload> requests)
        {
            return Flux.from(requests).map(Echo::reply);
        }

        @Override
        public Flux<Payload> requestStream(final Payload request)
        {
            final byte[] message = take(request);
            final long count = Prices.requested(new UnsafeBuffer(message), 0, message.length);
            final Prices.Writer prices = new Prices.Writer();
            final long[] next = { 0 };
            return Flux.generate((sink) ->
            {
                if (next[0] >= count)
                {
                    sink.complete();
                    return;
                }
                final byte[] bytes = new byte[Prices.ENCODED_LENGTH];
                prices.write(next[0]++, new UnsafeBuffer(bytes), 0);
                sink.next(DefaultPayload.create(bytes));
            });
        }

        private static Payload reply(final Payload request)
        {
            return DefaultPayload.create(new Conversation().reply(take(request)));
        }

        private static byte[] take(final Payload request)
        {
            final byte[] bytes = new byte[request.data().readableBytes()];
            request.data().getBytes(request.data().readerIndex(), bytes);
            request.release();
            return bytes;
        }
    }

    /** A session over RSocket, with one connection: one request for each message. */
    private static class Session extends Link
    {
        private final RSocket socket;

        Session(final RSocket socket, final ReplyQueue replies)
        {
            super(replies);
            this.socket = socket;
        }

        @Override
        public boolean isOpen()
        {
            return super.isOpen() && !socket.isDisposed();
        }

        @Override
        protected void release()
        {
            socket.dispose();
        }

        @Override
        protected SendResult send(final byte[] message)
        {
            socket.requestResponse(DefaultPayload.create(message)).subscribe(this::onReply, (error) -> fail());
            return SendResult.SENT;
        }

        @Override
        public SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
        {
            if (PriceRequestDecoder.TEMPLATE_ID != Conversation.peersTemplateId(message, offset, length))
            {
                return trySend(message, offset, length);
            }

            socket.requestStream(DefaultPayload.create(copy(message, offset, length))).subscribe(new Replies(this));
            return SendResult.SENT;
        }

        private void onReply(final Payload reply)
        {
            final long nowNs = System.nanoTime();
            take(reply.getData(), nowNs);
            reply.release();
        }
    }

    /** One channel. Each side sends as many messages as the other has requested. */
    private static final class Channel extends Session
    {
        private volatile FluxSink<Payload> requests;

        Channel(final RSocket socket, final ReplyQueue replies)
        {
            super(socket, replies);
            socket.requestChannel(Flux.<Payload>push((sink) -> requests = sink.onCancel(this::fail), OverflowStrategy.ERROR))
                .subscribe(new Replies(this));
        }

        @Override
        protected boolean isReady(final int length)
        {
            return null != requests && requests.requestedFromDownstream() > 0;
        }

        @Override
        protected SendResult send(final byte[] message)
        {
            requests.next(DefaultPayload.create(message));
            return SendResult.SENT;
        }
    }

    /** Receives messages and requests more in batches. */
    private static final class Replies extends BaseSubscriber<Payload>
    {
        private static final int ASKED_COUNT = 256;

        private final Session session;
        private int takenCount;

        Replies(final Session session)
        {
            this.session = session;
        }

        @Override
        protected void hookOnSubscribe(final Subscription subscription)
        {
            subscription.request(ASKED_COUNT);
        }

        @Override
        protected void hookOnNext(final Payload reply)
        {
            session.onReply(reply);
            if (++takenCount == ASKED_COUNT / 2)
            {
                takenCount = 0;
                request(ASKED_COUNT / 2);
            }
        }

        @Override
        protected void hookOnError(final Throwable error)
        {
            session.fail();
        }
    }
}
