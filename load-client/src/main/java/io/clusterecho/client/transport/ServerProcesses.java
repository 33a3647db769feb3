package io.clusterecho.client.transport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.remote.InventoryHost;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.CommandHint;
import io.clusterecho.process.Launch;

/** The processes of the servers of one transport. One thread. */
public final class ServerProcesses implements AutoCloseable
{
    /** Begin of the line that a server prints when it is ready. */
    public static final String READY = "serving ";

    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int OUT_OF_MEMORY = 3;

    private final List<ChildProcess> processes = new ArrayList<>();

    private ServerProcesses()
    {
    }

    /**
     * Start the servers of a kind, each in a process, and wait until all are ready.
     *
     * @param host        of the servers, or null for this machine.
     * @param assignments settings of the servers, KEY=VALUE.
     * @param isTied      whether they end with this process, however that ends.
     * @throws IllegalStateException with their output if they are not ready in time; all of them are killed then.
     */
    public static ServerProcesses start(
        final TransportKind kind,
        final String endpoints,
        final InventoryHost host,
        final Path folder,
        final List<String> flags,
        final List<String> assignments,
        final boolean isTied)
    {
        final ServerProcesses servers = new ServerProcesses();
        final AtomicInteger readyCount = new AtomicInteger();
        final int count = kind.serverCount();
        for (int i = 0; i < count; i++)
        {
            final List<String> arguments = new ArrayList<>(List.of(
                "serve", kind.name(), "--endpoints", endpoints, "--member", String.valueOf(i), "--data-dir", folder.toString()));
            assignments.forEach((assignment) -> arguments.addAll(List.of("--set", assignment)));
            final Launch launch = null == host ? new Launch("server-" + i, program(kind, flags, arguments)) :
                new Launch("server on " + host.name(), List.of("/bin/sh", "-c", "exec " + host.javaCommand(
                String.join(" ", flags), "peers.jar", arguments.stream().map(CommandHint::quoted)
                .collect(Collectors.joining(" "))))).by(host::overSsh);
            servers.processes.add((isTied ? launch.tied() : launch).stopTimeoutNs(STOP_TIMEOUT_NS)
                .output((line) -> readyCount.addAndGet(line.startsWith(READY) ? 1 : 0)).start());
        }
        Deadline.in(START_TIMEOUT_NS).await(() -> readyCount.get() == count || servers.end().isPresent());
        if (readyCount.get() < count || servers.end().isPresent())
        {
            final String output = servers.end().orElseGet(() ->
                servers.processes.stream().map(ChildProcess::lastWords).collect(Collectors.joining("; ")));
            servers.kill();
            throw new IllegalStateException("the server of " + kind.name() + " did not start: " + output);
        }

        return servers;
    }

    private static List<String> program(final TransportKind kind, final List<String> flags, final List<String> arguments)
    {
        return TransportProvider.all().stream()
            .filter((one) -> one.kinds().stream().anyMatch((other) -> other.name().equals(kind.name())))
            .findFirst().orElseThrow().program(flags, arguments);
    }

    /** How the first of them ended that runs no more, or empty. */
    public Optional<String> end()
    {
        return processes.stream().filter((server) -> !server.isAlive()).findFirst().map((server) ->
            OUT_OF_MEMORY == server.exitStatus() ? "server out of memory" : "a server ended: " + server.describeEnd());
    }

    public List<ChildProcess> processes()
    {
        return processes;
    }

    /** Stop them, and kill those that do not end in time. */
    @Override
    public void close()
    {
        processes.forEach(ChildProcess::requestEnd);
        processes.forEach(ChildProcess::close);
    }

    public void kill()
    {
        processes.forEach(ChildProcess::kill);
        close();
    }
}
