package io.clusterecho.peers.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.transport.TransportProvider;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.peers.PeerServer;

/** The server processes of one peer. Not thread-safe. */
public final class ServerProcesses implements TransportProvider.Servers
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(90);

    private final String endpoints;
    private final List<JavaProcess> processes = new ArrayList<>();

    private ServerProcesses(final String endpoints)
    {
        this.endpoints = endpoints;
    }

    /**
     * Start the servers of a peer, and wait until all are ready.
     *
     * @param isTied whether they end with this process, however that ends.
     * @throws IllegalStateException with their output if they are not ready in time; all of them are killed then.
     */
    public static ServerProcesses start(
        final String name,
        final String endpoints,
        final Path folder,
        final List<String> flags,
        final List<String> arguments,
        final boolean isTied)
    {
        final ServerProcesses servers = new ServerProcesses(endpoints);
        final int count = PeerNames.peer("NAME", name).serverCount(endpoints);
        for (int i = 0; i < count; i++)
        {
            final List<String> all = new ArrayList<>(List.of(
                "serve", name, "--endpoints", endpoints, "--member", String.valueOf(i), "--data-dir", folder.toString()));
            all.addAll(arguments);
            servers.processes.add(JavaProcess.start("server-" + i, flags, all, isTied));
        }

        final Deadline deadline = Deadline.in(START_TIMEOUT_NS);
        for (final JavaProcess server : servers.processes)
        {
            deadline.await(() -> server.out().contains(PeerServer.READY) || !server.process().isAlive());
            if (!server.out().contains(PeerServer.READY) || !server.process().isAlive())
            {
                servers.kill();
                throw new IllegalStateException("the server of " + name + " did not start: " + server.out() + server.err());
            }
        }

        return servers;
    }

    @Override
    public String endpoints()
    {
        return endpoints;
    }

    @Override
    public boolean areAlive()
    {
        return processes.stream().allMatch((server) -> server.process().isAlive());
    }

    /** The processes, one for each server. */
    public List<JavaProcess> processes()
    {
        return processes;
    }

    @Override
    public void close()
    {
        processes.forEach((server) -> server.process().requestEnd());
        processes.forEach((server) -> server.process().close());
    }

    /** Kill them. */
    public void kill()
    {
        processes.forEach((server) -> server.process().kill());
        close();
    }
}
