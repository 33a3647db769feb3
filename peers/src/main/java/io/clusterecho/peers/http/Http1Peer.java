package io.clusterecho.peers.http;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.settings.Setting;

/** HTTP/1.1 with keep-alive, one request at a time per connection. */
public final class Http1Peer implements Peer
{
    static final String PATH = "/echo";

    @Override
    public String name()
    {
        return "http1";
    }

    @Override
    public List<Setting<?>> settings()
    {
        return List.of();
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name(),
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
        return Http1Server.start(Endpoint.parse(request.endpoints()));
    }
}
