package io.clusterecho.peers.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.control.member.Deadline;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.peers.PeerServer;

/**
 * The servers of one peer, in processes of their own. One thread calls all methods.
 */
public final class ServerProcesses
{
    private final List<JavaProcess> processes = new ArrayList<>();

    private ServerProcesses()
    {
    }

    /**
     * Start the servers of a peer and wait until all take sessions.
     *
     * @param name      of the peer.
     * @param endpoints as its {@code --endpoints} takes them.
     * @param folder    for what they keep and say.
     * @param flags     of their JVMs.
     * @param arguments of {@code serve} beside those that say where.
     * @param timeoutNs to wait at the most, in ns.
     * @throws IllegalStateException with what they said, when they do not serve in time; none is left then.
     */
    public static ServerProcesses start(
        final String name,
        final String endpoints,
        final Path folder,
        final List<String> flags,
        final List<String> arguments,
        final long timeoutNs)
    {
        final ServerProcesses servers = new ServerProcesses();
        final int count = PeerNames.peer("NAME", name).serverCount(endpoints);
        for (int i = 0; i < count; i++)
        {
            final List<String> all = new ArrayList<>(List.of(
                "serve", name, "--endpoints", endpoints, "--member", String.valueOf(i), "--data-dir", folder.toString()));
            all.addAll(arguments);
            servers.processes.add(JavaProcess.start(folder, "server-" + i, flags, all));
        }

        final Deadline deadline = Deadline.in(timeoutNs);
        for (final JavaProcess server : servers.processes)
        {
            deadline.await(() -> server.out().contains(PeerServer.READY) || !server.process().isAlive());
            if (!server.out().contains(PeerServer.READY) || !server.process().isAlive())
            {
                servers.kill();
                throw new IllegalStateException(name + " does not serve: " + server.out() + server.err());
            }
        }

        return servers;
    }

    /**
     * The processes.
     *
     * @return one for each server.
     */
    public List<JavaProcess> processes()
    {
        return processes;
    }

    /**
     * Ask them to stop, and wait for that.
     *
     * @return their exit codes.
     */
    public List<Integer> stop()
    {
        processes.forEach((server) -> server.process().requestEnd());
        return exitCodes();
    }

    /**
     * End them without asking.
     */
    public void kill()
    {
        processes.forEach((server) -> server.process().kill());
        exitCodes();
    }

    private List<Integer> exitCodes()
    {
        processes.forEach((server) -> server.process().close());
        return processes.stream().map((server) -> server.process().exitStatus()).toList();
    }
}
