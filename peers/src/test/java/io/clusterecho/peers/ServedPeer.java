package io.clusterecho.peers;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.transport.ServerProcesses;
import io.clusterecho.control.member.ProcessRecord;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.testing.FreePorts;

import org.agrona.IoUtil;

/** The server processes of a peer. */
final class ServedPeer implements AutoCloseable
{
    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Peer peer;
    private final Path folder;
    private final String endpoints;
    private ServerProcesses servers;

    private ServedPeer(final Peer peer, final Path folder, final String endpoints)
    {
        this.peer = peer;
        this.folder = folder;
        this.endpoints = endpoints;
    }

    static ServedPeer start(final Peer peer, final Path parent)
    {
        final String endpoints = freeEndpoints(peer);
        final ServedPeer served =
            new ServedPeer(peer, parent.resolve(peer.name() + endpoints.replaceAll("[^0-9]+", "-")), endpoints);
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
        servers = ServerProcesses.start(peer, endpoints, null, folder, FLAGS, List.of(), false);
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
        servers.kill();
    }

    /** The processes of its servers. */
    List<ChildProcess> processes()
    {
        return servers.processes();
    }

    /**
     * Request them to stop.
     *
     * @return exit statuses.
     */
    List<Integer> stop()
    {
        servers.close();
        return servers.processes().stream().map((server) -> server.exitStatus()).toList();
    }

    @Override
    public void close()
    {
        servers.kill();
        IoUtil.delete(folder.toFile(), true);
        if (endpoints.startsWith("/"))
        {
            IoUtil.delete(new File(endpoints), true);
        }
    }

    private List<ProcessRecord> records()
    {
        return servers.processes().stream()
            .map((server) -> ProcessRecord.of(server.pid()).orElseThrow()).toList();
    }
}
