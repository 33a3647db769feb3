package io.clusterecho.peers.kryonet;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.esotericsoftware.kryo.Kryo;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.Setting;

/** KryoNet over TCP. */
public record KryonetPeer(String name) implements Peer
{
    /** Maximum message length including its frame. */
    static final int OBJECT_LENGTH = (1 << 20) + 64;
    /** Write buffer of one connection in bytes; KryoNet closes a connection that would exceed it. */
    static final int WRITE_LENGTH = 8 << 20;
    /** Maximum bytes that are queued in one session. */
    static final int IN_FLIGHT_LENGTH = WRITE_LENGTH / 2;
    /** Maximum overhead of KryoNet and Kryo for a message in bytes. */
    static final int OVERHEAD = 16;

    /** Register the classes of messages, in the same order on both sides. */
    static void register(final Kryo kryo)
    {
        kryo.register(byte[].class);
        kryo.register(KryoPrice.class);
    }

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(QueuedConnector.IN_FLIGHT);
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name,
            "KryoNet " + Facts.version("kryonet") + " with Kryo " + Facts.version("kryo"),
            "not replicated, not durable, ordered; lossless within a session",
            "write buffers of 8 MiB, because it closes a connection whose buffer is full; at most 4 MiB queued; " +
            "the thread that receives answers, a thread of its own sends prices");
    }

    @Override
    public Experiment experiment(final boolean isStream)
    {
        final String kryo = Facts.version("kryo");
        return new Experiment(
            "KryoNet", Experiment.REQUEST_RESPONSE, isStream ? Experiment.PRICE : Experiment.BYTES, "", "", "",
            !isStream ? Map.of(Experiment.KRYO, kryo) :
            Map.of(Experiment.KRYO, kryo, Experiment.QUEUED, (IN_FLIGHT_LENGTH >> 20) + " MiB"));
    }

    @Override
    public Set<Load> loads()
    {
        return EnumSet.of(Load.ECHO, Load.PRICES, Load.ONE_WAY);
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final int limit = Math.max(1, IN_FLIGHT_LENGTH / (request.lengthBytes() + OVERHEAD));
        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        return new QueuedConnector(
            (replies, timeoutNs) -> new KryonetSession(endpoint, replies, timeoutNs), endpoint.toString(), true,
            Math.min(limit, request.settings().value(QueuedConnector.IN_FLIGHT)), request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        return new KryonetServer(Endpoint.parse(request.endpoints()));
    }
}
