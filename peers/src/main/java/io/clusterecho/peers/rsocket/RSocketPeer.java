package io.clusterecho.peers.rsocket;

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
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.settings.Setting;

/** RSocket over TCP: a stream in both directions, or a request for each message. */
public record RSocketPeer(String name, boolean isChannel) implements Peer
{
    @Override
    public List<Setting<?>> settings()
    {
        return List.of(isChannel ? QueuedConnector.IN_FLIGHT : QueuedConnector.CALLS_IN_FLIGHT);
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
        final Setting<Integer> limit = isChannel ? QueuedConnector.IN_FLIGHT : QueuedConnector.CALLS_IN_FLIGHT;
        return new QueuedConnector(
            new RSocketDialer(endpoint, isChannel), endpoint.toString(), isChannel, request.settings().value(limit),
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        return RSocketPeerServer.start(Endpoint.parse(request.endpoints()));
    }
}
