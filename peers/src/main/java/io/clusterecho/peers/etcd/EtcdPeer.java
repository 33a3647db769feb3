package io.clusterecho.peers.etcd;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;

/** etcd: each message is put and read back. */
public record EtcdPeer(String name) implements Peer
{
    private static final long VERSION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String VERSION_PREFIX = "etcd Version: ";
    private static final String UNKNOWN = "of unknown version";
    private static final Setting<String> BINARY = Setting.ofText(
        "peer.etcd.binary", "etcd", "a program", "The etcd program, by its path or by a name in PATH.");

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(QueuedConnector.CALLS_IN_FLIGHT, BINARY);
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
            name,
            "etcd " + Launch.find(BINARY.defaultText()).map(EtcdPeer::version).orElse("of another machine") +
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
    public boolean isReplicated()
    {
        return true;
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Members members = Members.parse(request.endpoints());
        return new QueuedConnector(
            (replies, timeoutNs) -> EtcdSession.dial(members, replies, timeoutNs), members.text(), false,
            request.settings().value(QueuedConnector.CALLS_IN_FLIGHT), request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final String program = request.settings().value(BINARY);
        final Path binary = Launch.find(program).orElseThrow(() -> new InvalidSettingException(
            BINARY.key(), program, "the etcd program, by its path or by a name in PATH; it is not part of this project"));
        return new EtcdServer(binary, Members.parse(request.endpoints()), request.memberId(), request.dataDir());
    }

    /** Version of a program, or a text that it is unknown. */
    private static String version(final Path binary)
    {
        final List<String> lines = new ArrayList<>();
        try (ChildProcess process = new Launch("etcd", List.of(binary.toString(), "--version")).output(lines::add).start())
        {
            process.awaitEnd(VERSION_TIMEOUT_NS);
        }
        catch (final UncheckedIOException ex)
        {
            return UNKNOWN;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }

        return lines.stream().filter((line) -> line.startsWith(VERSION_PREFIX))
            .map((line) -> line.substring(VERSION_PREFIX.length()).trim()).findFirst().orElse(UNKNOWN);
    }
}
