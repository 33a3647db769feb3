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
import io.clusterecho.peers.session.InFlight;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.settings.Setting;

/** RSocket over TCP. */
public final class RSocketPeer implements Peer
{
    private final String name;
    private final boolean isChannel;

    /** @param isChannel a stream in both directions, else a request for each message. */
    public RSocketPeer(final String name, final boolean isChannel)
    {
        this.name = name;
        this.isChannel = isChannel;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(isChannel ? InFlight.SETTING : InFlight.OF_CALLS);
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
        final Setting<Integer> limit = isChannel ? InFlight.SETTING : InFlight.OF_CALLS;
        return new QueuedConnector(
            new RSocketDialer(Endpoint.parse(request.endpoints()), isChannel, request.settings().value(limit)),
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        return new RSocketPeerServer(Endpoint.parse(request.endpoints()));
    }
}
