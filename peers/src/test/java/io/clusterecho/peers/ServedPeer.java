package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.ServerProcesses;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.ProcessRecord;
import io.clusterecho.peers.command.PeerProvider;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.testing.FreePorts;

import org.agrona.IoUtil;

/** The server processes of a peer. */
final class ServedPeer implements AutoCloseable
{
    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final Peer peer;
    private final Path folder;
    private final String endpoints;
    private final Idle idle;
    private List<ChildProcess> servers = List.of();

    private ServedPeer(final Peer peer, final Path folder, final String endpoints, final Idle idle)
    {
        this.peer = peer;
        this.folder = folder;
        this.endpoints = endpoints;
        this.idle = idle;
    }

    static ServedPeer start(final Peer peer, final Path parent, final Idle idle)
    {
        final String endpoints = freeEndpoints(peer);
        final ServedPeer served =
            new ServedPeer(peer, parent.resolve(peer.name() + endpoints.replaceAll("[^0-9]+", "-")), endpoints, idle);
        served.startAgain();
        return served;
    }

    /** An address without a server. */
    static String freeEndpoints(final Peer peer)
    {
        return peer.endpointsFrom(FreePorts.block());
    }

    void startAgain()
    {
        final AtomicInteger readyCount = new AtomicInteger();
        servers = IntStream.range(0, peer.serverCount()).mapToObj((i) -> new Launch("server-" + i, command(i))
            .stopTimeoutNs(STOP_TIMEOUT_NS)
            .output((line) -> readyCount.addAndGet(line.startsWith(ServerProcesses.READY) ? 1 : 0)).start()).toList();
        assertThat(Deadline.in(START_TIMEOUT_NS).await(
            () -> readyCount.get() == servers.size() || !servers.stream().allMatch(ChildProcess::isAlive))).isTrue();
        assertThat(servers).as(peer.name()).allSatisfy(
            (server) -> assertThat(server.isAlive()).as(server::lastWords).isTrue());
    }

    private List<String> command(final int memberId)
    {
        return new PeerProvider().program(FLAGS, List.of(
            "serve", peer.name(), "--endpoints", endpoints, "--member", String.valueOf(memberId), "--data-dir", folder.toString(),
            "--idle", idle.name()));
    }

    String endpoints()
    {
        return endpoints;
    }

    void pause()
    {
        records().forEach(ProcessRecord::pause);
    }

    void resume()
    {
        records().forEach(ProcessRecord::resume);
    }

    void kill()
    {
        servers.forEach(ChildProcess::kill);
        servers.forEach(ChildProcess::close);
    }

    /** The processes of its servers. */
    List<ChildProcess> processes()
    {
        return servers;
    }

    /**
     * Request them to stop.
     *
     * @return exit statuses.
     */
    List<Integer> stop()
    {
        servers.forEach(ChildProcess::requestEnd);
        servers.forEach(ChildProcess::close);
        return servers.stream().map((server) -> server.exitStatus()).toList();
    }

    @Override
    public void close()
    {
        kill();
        IoUtil.delete(folder.toFile(), true);
        if (endpoints.startsWith("/"))
        {
            IoUtil.delete(new File(endpoints), true);
        }
    }

    private List<ProcessRecord> records()
    {
        return servers.stream()
            .map((server) -> ProcessRecord.of(server.pid()).orElseThrow()).toList();
    }
}
