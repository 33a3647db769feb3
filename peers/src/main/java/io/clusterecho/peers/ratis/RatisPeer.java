package io.clusterecho.peers.ratis;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.settings.Setting;

/** Apache Ratis. */
public record RatisPeer(String name, boolean isInMemory) implements Peer
{
    private static final Setting<Integer> IN_FLIGHT = Setting.ofInt(
        QueuedConnector.IN_FLIGHT.key(), "256", 1, 4096,
        "Maximum requests in flight in one session; a leader of Ratis accepts up to 4,096.");

    private static final Setting<Integer> APPEND_WAIT = Setting.ofInt(
        "peer.append.wait.us", "1000", 0, 1_000_000,
        "Time in us that passes at least between two requests of a leader to a follower; 1000 is the default of Ratis. It " +
        "collects messages, and delays one that is alone.");

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(IN_FLIGHT, APPEND_WAIT);
    }

    @Override
    public String durability()
    {
        return isInMemory ?
            "in memory: an acknowledged message is in the memory of a majority; it survives the loss of a minority" :
            "flushed: an acknowledged message was flushed to the disks of a majority; it survives the loss of power " +
            "everywhere, as far as the disks keep what they confirm";
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name,
            "Apache Ratis " + Facts.version("ratis") + " over gRPC",
            "replicated over three members, " + (isInMemory ? "not durable" : "durable (flushed before it is acknowledged)") +
            ", ordered, applied once",
            "its ordered asynchronous client, by default at most 256 requests in flight; " +
            (isInMemory ? "its log for tests, which keeps all entries" : "segments of 32 MiB preallocated") +
            "; no snapshots; in the sweeps of reports no wait between two requests to a follower where one message is in " +
            "flight; election timeouts of 3 to 4 s");
    }

    @Override
    public boolean isReplicated()
    {
        return true;
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Members members = Members.parse(request.endpoints());
        final int limit = request.settings().value(IN_FLIGHT);
        return new QueuedConnector(
            (replies, timeoutNs) -> new RatisSession(members, limit, replies, timeoutNs), members.text(), true, limit,
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        return new RatisServer(
            Members.parse(request.endpoints()), request.memberId(), request.dataDir(), isInMemory,
            request.settings().value(APPEND_WAIT));
    }
}
