package io.clusterecho.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.Setting;

import io.netty.buffer.Unpooled;

import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

/** HTTP/1.1 with keep-alive, one request at a time per connection. */
public record Http1Peer(String name) implements Peer
{
    private static final String PATH = "/echo";

    @Override
    public List<Setting<?>> settings()
    {
        return List.of();
    }

    @Override
    public Map<String, String> facts()
    {
        return Peer.facts(
            name,
            "reactor-netty " + Peer.version("reactor-netty") + ", server and client",
            "not replicated, not durable, ordered; one request at a time per connection",
            "a POST for each message; a keep-alive connection per session; more in flight needs more sessions (--connections)");
    }

    @Override
    public Experiment experiment(final boolean isStream)
    {
        return new Experiment(
            "HTTP/1.1, reactor-netty server", Experiment.REQUEST_RESPONSE, Experiment.BYTES, "", "", "", Map.of());
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return () -> new QueuedTransport(
            (replies, timeoutNs) -> new Session(endpoint, replies, timeoutNs), endpoint.toString(), true, 1,
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        endpoint.requireFreeTcpPort();
        return HttpServer.create().host(endpoint.host()).port(endpoint.port()).route((routes) -> routes.post(
            PATH,
            (post, response) -> response.sendByteArray(
                post.receive().aggregate().asByteArray().map((bytes) -> new Conversation().reply(bytes)))))
            .bindNow()::disposeNow;
    }

    /** A session with a pool of one connection. */
    private static final class Session extends Link
    {
        private final ConnectionProvider connection = ConnectionProvider.create("echo", 1);
        private final HttpClient client;

        Session(final Endpoint endpoint, final ReplyQueue replies, final long timeoutNs)
        {
            super(replies);
            client = HttpClient.create(connection).host(endpoint.host()).port(endpoint.port()).disableRetry(true);
            try
            {
                // An empty message opens the connection and has no reply.
                post(new byte[0]).block(Duration.ofNanos(timeoutNs));
            }
            catch (final RuntimeException ex)
            {
                connection.dispose();
                throw ex;
            }
        }

        private Mono<byte[]> post(final byte[] bytes)
        {
            return client.post().uri(PATH)
                .send(Mono.just(Unpooled.wrappedBuffer(bytes)))
                .responseSingle((response, body) -> 200 == response.status().code() ?
                    body.asByteArray() : Mono.error(new IOException("status " + response.status())));
        }

        @Override
        protected SendResult send(final byte[] message)
        {
            post(message).subscribe((reply) -> take(ByteBuffer.wrap(reply), System.nanoTime()), (error) -> fail());
            return SendResult.SENT;
        }

        @Override
        protected void release()
        {
            connection.dispose();
        }
    }
}
