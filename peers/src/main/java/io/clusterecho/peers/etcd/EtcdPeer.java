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

/** etcd: each message is put and read back. */
public final class EtcdPeer implements Peer
{
    /** Maximum message length, which leaves space for etcd's overhead within its limit. */
    private static final long MAX_LENGTH = 1 << 20;

    private static final Setting<String> BINARY = Setting.ofText(
        "peer.etcd.binary", "etcd", "a program", "The etcd program, by its path or by a name in PATH.");

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
            ", over gRPC " + Facts.version("grpc"),
            "replicated over three members, durable (flushed before it is acknowledged), not ordered",
            "a transaction for each message, which puts it under one key and reads it back; by default at most 256 in " +
            "flight, to the leader; old values are compacted every five minutes; an election timeout of 3 s");
    }

    @Override
    public Optional<String> missing()
    {
        return Launch.find(BINARY.defaultText()).isPresent() ?
            Optional.empty() : Optional.of("etcd is not in PATH");
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
            BINARY.key(), name, "the etcd program, by its path or by a name in PATH; it is not part of this project"));
        return new EtcdServer(binary, Members.parse(request.endpoints()), request.memberId(), request.dataDir());
    }
}
