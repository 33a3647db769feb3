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
    public long maxLengthBytes()
    {
        return 1 << 20;
    }

    @Override
    public String durability()
    {
        return "none: one server, which stores nothing";
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
        return new QueuedConnector(new Http1Dialer(Endpoint.parse(request.endpoints())), request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        return new Http1Server(Endpoint.parse(request.endpoints()));
    }
}
