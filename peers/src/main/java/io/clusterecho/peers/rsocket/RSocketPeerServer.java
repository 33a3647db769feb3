package io.clusterecho.peers.rsocket;

import java.util.concurrent.atomic.AtomicLong;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.peers.server.Prices;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;

import org.agrona.concurrent.UnsafeBuffer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Server over RSocket. A conversation has no state for echoes. */
final class RSocketPeerServer implements RSocket
{
    static PeerServer start(final Endpoint endpoint)
    {
        endpoint.requireFreeTcpPort();
        return RSocketServer.create(SocketAcceptor.with(new RSocketPeerServer()))
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .bindNow(TcpServerTransport.create(endpoint.host(), endpoint.port()))::dispose;
    }

    @Override
    public Mono<Payload> requestResponse(final Payload request)
    {
        return Mono.just(reply(request));
    }

    @Override
    public Flux<Payload> requestChannel(final Publisher<Payload> requests)
    {
        return Flux.from(requests).map(RSocketPeerServer::reply);
    }

    @Override
    public Flux<Payload> requestStream(final Payload request)
    {
        final Conversation conversation = new Conversation();
        take(request, conversation);
        final long count = conversation.pricesLeft();
        return Flux.generate(
            AtomicLong::new,
            (sent, sink) ->
            {
                if (sent.get() == count)
                {
                    sink.complete();
                    return sent;
                }
                final byte[] bytes = new byte[Prices.ENCODED_LENGTH];
                conversation.writePrice(new UnsafeBuffer(bytes), 0);
                conversation.onPriceSent();
                sent.incrementAndGet();
                sink.next(DefaultPayload.create(bytes));
                return sent;
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
