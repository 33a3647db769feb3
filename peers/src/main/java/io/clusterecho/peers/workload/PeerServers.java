package io.clusterecho.peers.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.transport.ServerStarter;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;

/**
 * Starts the servers of peers for sweeps, with the JVM's default heap. Servers and clients that poll use the same idle strategy
 * by default.
 */
public final class PeerServers implements ServerStarter
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(90);

    /**
     * For {@link java.util.ServiceLoader}.
     */
    public PeerServers()
    {
    }

    @Override
    public Servers start(final String kind, final int firstPort, final Path folder, final List<String> assignments)
    {
        final Peer peer = PeerNames.peer("transport", kind);
        peer.missing().ifPresent((lack) ->
        {
            throw new IllegalStateException(lack);
        });
        final String endpoints = peer.endpointsFrom(firstPort);
        final List<String> arguments = new ArrayList<>();
        assignments.forEach((assignment) -> arguments.addAll(List.of("--set", assignment)));
        final ServerProcesses servers =
            ServerProcesses.startTied(kind, endpoints, folder, List.of(), arguments, START_TIMEOUT_NS);
        return new Started(endpoints, servers);
    }

    private record Started(String endpoints, ServerProcesses processes) implements Servers
    {
        @Override
        public boolean areAlive()
        {
            return processes.processes().stream().allMatch((server) -> server.process().isAlive());
        }

        @Override
        public void close()
        {
            processes.stop();
        }
    }
}
