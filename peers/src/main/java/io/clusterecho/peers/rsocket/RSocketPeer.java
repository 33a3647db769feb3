package io.clusterecho.peers.rsocket;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.peers.server.Prices;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.peers.session.ReplyQueue;
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

import org.agrona.concurrent.UnsafeBuffer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
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
        return Facts.of(
            name,
            "RSocket " + Facts.version("rsocket") + " over TCP on reactor-netty " + Facts.version("reactor-netty"),
            "not replicated, not durable, " + (isChannel ? "ordered" : "not ordered") +
            "; lossless within a session",
            "zero-copy decoder; a connection per session" +
            (isChannel ?
                "; sends as many messages as the other side has requested" : "; by default at most 256 requests in flight"));
    }

    @Override
    public Set<Load> loads()
    {
        return isChannel ? Set.of(Load.ECHO) : EnumSet.of(Load.ECHO, Load.PRICES);
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return new QueuedConnector(
            (replies, timeoutNs) -> dial(endpoint, replies, timeoutNs), endpoint.toString(), isChannel,
            request.settings().value(inFlight()), request.lengthBytes());
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
        return isChannel ? QueuedConnector.IN_FLIGHT : QueuedConnector.CALLS_IN_FLIGHT;
    }

    private Link dial(final Endpoint endpoint, final ReplyQueue replies, final long timeoutNs)
    {
        final RSocket socket = RSocketConnector.create()
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .connect(TcpClientTransport.create(endpoint.host(), endpoint.port()))
            .block(Duration.ofNanos(timeoutNs));
        return isChannel ? new RSocketSession.Channel(socket, replies) : new RSocketSession.Calls(socket, replies);
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
            final Conversation conversation = new Conversation();
            take(request, conversation);
            return Flux.generate((sink) ->
            {
                if (!conversation.isStreaming())
                {
                    sink.complete();
                    return;
                }
                final byte[] bytes = new byte[Prices.ENCODED_LENGTH];
                conversation.writePrice(new UnsafeBuffer(bytes), 0);
                conversation.onPriceSent();
                sink.next(DefaultPayload.create(bytes));
            });
        }

        private static Payload reply(final Payload request)
        {
            return DefaultPayload.create(take(request, new Conversation()));
        }

        private static byte[] take(final Payload request, final Conversation conversation)
        {
            final byte[] bytes = new byte[request.data().readableBytes()];
            request.data().getBytes(request.data().readerIndex(), bytes);
            request.release();
            return conversation.reply(bytes);
        }
    }
}
