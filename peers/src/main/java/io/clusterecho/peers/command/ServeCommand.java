package io.clusterecho.peers.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.transport.ServerProcesses;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.agrona.concurrent.IdleStrategy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs the server of a peer in this process. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    header = "Run the server of a peer in this process.",
    description = {
        "", "The server prints 'serving NAME at ENDPOINTS' on stdout when it is ready, and runs until SIGTERM or Ctrl-C.", "" },
    exitCodeList = {
        "0:stopped on request", "1:internal error, or the server ended by itself", "2:invalid usage, or the port is in use" })
public final class ServeCommand implements Callable<Integer>
{
    @Parameters(
        index = "0", paramLabel = "NAME", completionCandidates = Peer.Names.class,
        description = "Peer: ${COMPLETION-CANDIDATES}.")
    private String name;

    @Option(names = "--endpoints", paramLabel = "TEXT",
        description = "Address of the server, in the form of the load client's --endpoints. Default: " + Peer.DEFAULT_ENDPOINT +
        ", or a default of the peer.")
    private String endpoints;

    @Option(names = "--port", paramLabel = "N", description = "Short for --endpoints 127.0.0.1:N.")
    private Integer port;

    @Option(names = "--member", paramLabel = "N", defaultValue = "0",
        description = "Index of this server in --endpoints, for a peer with several servers. Default: ${DEFAULT-VALUE}.")
    private int memberId;

    @Option(names = "--data-dir", paramLabel = "DIR", defaultValue = "peer-data",
        description = "Data folder of the server. Default: ${DEFAULT-VALUE}.")
    private Path dataDir;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "Idle strategy of a server that has no threads of its own: ${COMPLETION-CANDIDATES}. " +
        "Default: ${DEFAULT-VALUE}.")
    private Idle idle;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Setting of the peer. Repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Override
    public Integer call()
    {
        InvalidSettingException.throwIf(
            "aeron-cluster".equals(name), "NAME", name, "a peer; start a cluster with scripts/start-cluster.sh");
        final Peer peer = Peer.of("NAME", name);
        InvalidSettingException.throwIf(null != port && null != endpoints, "--port", port, "only without --endpoints");

        final String given = null != port ? "127.0.0.1:" + port : null == endpoints ? peer.defaultEndpoints() : endpoints;
        final Settings settings = new Settings("peer.", peer.settings()).putAssignments(assignments, "--set");
        final EndRequest endRequest = EndRequest.onSignals(() -> { });
        endRequest.ends(Thread.currentThread()::interrupt);
        try (PeerServer server = peer.serve(new Peer.ServeRequest(given, memberId, dataDir, settings)))
        {
            System.out.println(ServerProcesses.READY + name + " at " + given);
            System.out.flush();
            final IdleStrategy idleStrategy = idle.strategy();
            while (!endRequest.isRequested())
            {
                server.work(idleStrategy);
            }
            // Clear the interrupt that ended the wait: it would disturb the clean close.
            Thread.interrupted();
        }

        return ExitCode.GOOD;
    }
}
