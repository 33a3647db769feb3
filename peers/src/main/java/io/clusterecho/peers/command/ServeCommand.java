package io.clusterecho.peers.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.client.load.Cores;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.series.Interruption;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;
import io.clusterecho.threads.Compilers;

import org.agrona.concurrent.IdleStrategy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs the server of a peer in this process.
 */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Runs the server of a peer in this process until it is asked to stop (SIGTERM, Ctrl-C). It says 'serving NAME at " +
        "ENDPOINTS' on stdout once it takes sessions." },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { "0:asked to stop", "1:internal error", "2:usage, or a taken port" })
public final class ServeCommand implements Callable<Integer>
{
    @Parameters(
        index = "0", paramLabel = "NAME", completionCandidates = PeerNames.class,
        description = "One of ${COMPLETION-CANDIDATES}.")
    private String name;

    @Option(names = "--endpoints", paramLabel = "TEXT",
        description = "Where to take sessions, as --endpoints of the load client says it. Default: " + Peer.DEFAULT_ENDPOINT +
        ", or what suits the peer.")
    private String endpoints;

    @Option(names = "--port", paramLabel = "N", description = "The same as --endpoints 127.0.0.1:N.")
    private Integer port;

    @Option(names = "--member", paramLabel = "N", defaultValue = "0",
        description = "Which of the endpoints this server is, for a peer of several servers. Default: ${DEFAULT-VALUE}.")
    private int memberId;

    @Option(names = "--data-dir", paramLabel = "DIR", defaultValue = "peer-data",
        description = "Folder for what a server keeps. Default: ${DEFAULT-VALUE}.")
    private Path dataDir;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "What a server without threads of its own does while there is nothing to do: ${COMPLETION-CANDIDATES}. " +
        "Default: ${DEFAULT-VALUE}.")
    private Idle idle;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the peer; may be given again.")
    private List<String> assignments = new ArrayList<>();

    private volatile boolean isEndRequested;

    public ServeCommand()
    {
    }

    @Override
    public Integer call()
    {
        if ("aeron-cluster".equals(name))
        {
            throw new InvalidSettingException("NAME", name, "a peer; scripts/start-cluster.sh starts a cluster");
        }
        final Peer peer = PeerNames.peer("NAME", name);
        if (null != port && null != endpoints)
        {
            throw new InvalidSettingException("--port", port, "not given together with --endpoints");
        }

        final String given = null == port ? endpoints : "127.0.0.1:" + port;
        final Settings settings = new Settings("peer.", peer.settings()).putAssignments(assignments, "--set");
        final Thread thread = Thread.currentThread();
        Interruption.install(
            () ->
            {
                isEndRequested = true;
                thread.interrupt();
            });
        try (PeerServer server = peer.serve(new Peer.ServeRequest(given, memberId, dataDir, settings)))
        {
            System.out.println(PeerServer.READY + name + " at " + server.endpoints());
            System.out.flush();
            if (Cores.areFew())
            {
                // As members and clients do, so that no system is measured with another JVM than the rest.
                Compilers.demoteAfterWarmUp(System.err::println);
            }
            run(server);
            // Else the interrupt that ended the wait would cut short what closes in order.
            Thread.interrupted();
        }

        return ExitCode.GOOD;
    }

    private void run(final PeerServer server)
    {
        final IdleStrategy idleStrategy = idle.strategy();
        while (!isEndRequested)
        {
            if (server.isCarried())
            {
                idleStrategy.idle(server.doWork());
            }
            else
            {
                LockSupport.park(this);
            }
        }
    }
}
