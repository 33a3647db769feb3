package io.clusterecho.peers.etcd;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.session.InFlight;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;

/**
 * etcd, as a put of a message that comes back.
 */
public final class EtcdPeer implements Peer
{
    /** Longest message, with room for what etcd puts around it in its own limit. */
    private static final long MAX_LENGTH = 1 << 20;

    private static final Setting<String> BINARY = Setting.ofText(
        "peer.etcd.binary", "etcd", "a program", "The program of a member; a name is looked for in the folders of PATH.");

    /**
     * For {@link java.util.ServiceLoader}.
     */
    public EtcdPeer()
    {
    }

    @Override
    public String name()
    {
        return "etcd";
    }

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(InFlight.OF_CALLS, BINARY);
    }

    @Override
    public long maxLengthBytes()
    {
        return MAX_LENGTH;
    }

    @Override
    public String durability()
    {
        return "flushed: an acknowledged message was flushed to the disks of a majority; it survives the loss of power " +
            "everywhere, as far as the disks keep what they confirm";
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name(),
            "etcd " + Launch.find(BINARY.defaultText()).map(EtcdBinary::version).orElse("of another machine") +
            ", asked over gRPC " + Facts.version("grpc"),
            "replicated over three members, durable (flushed before it is acknowledged), not ordered",
            "a transaction for each message, which puts it under one key and reads it back; 256 under way at most, with the " +
            "member that leads; old values are compacted away");
    }

    @Override
    public Optional<String> missing()
    {
        return Launch.find(BINARY.defaultText()).isPresent() ?
            Optional.empty() : Optional.of("no program etcd in the folders of PATH");
    }

    @Override
    public String defaultEndpoints()
    {
        return Members.DEFAULT;
    }

    @Override
    public String endpointsFrom(final int firstPort)
    {
        return Members.local(firstPort);
    }

    @Override
    public int serverCount(final String endpoints)
    {
        return Members.parse(endpoints).endpoints().size();
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        return new QueuedConnector(
            new EtcdDialer(Members.parse(request.endpoints()), request.settings().value(InFlight.OF_CALLS)),
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final String name = request.settings().value(BINARY);
        final Path binary = Launch.find(name).orElseThrow(() -> new InvalidSettingException(
            BINARY.key(), name, "a program of etcd, by its path or in the folders of PATH; none comes with this project"));
        return new EtcdServer(binary, Members.parse(request.endpoints()), request.memberId(), request.dataDir());
    }
}
