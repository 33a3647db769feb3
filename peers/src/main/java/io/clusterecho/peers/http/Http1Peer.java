package io.clusterecho.peers.http;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.settings.Setting;

import reactor.netty.http.server.HttpServer;

/** HTTP/1.1 with keep-alive, one request at a time per connection. */
public record Http1Peer(String name) implements Peer
{
    static final String PATH = "/echo";

    @Override
    public List<Setting<?>> settings()
    {
        return List.of();
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name,
            "reactor-netty " + Facts.version("reactor-netty") + ", server and client",
            "not replicated, not durable, ordered; one request at a time per connection",
            "a POST for each message; a keep-alive connection per session; more in flight needs more sessions (--connections)");
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return new QueuedConnector(
            (replies, timeoutNs) -> Http1Session.dial(endpoint, replies, timeoutNs), endpoint.toString(), true, 1,
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
}
