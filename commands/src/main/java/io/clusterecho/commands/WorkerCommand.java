package io.clusterecho.commands;

import java.util.concurrent.Callable;

import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.worker.WorkerService;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.process.JsonLines;
import io.clusterecho.reporting.results.ExitCode;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One of several clients of a load. */
@Command(
    name = ClientsConfig.WORKER,
    mixinStandardHelpOptions = true,
    header = "Send a share of a load; started by --clients.",
    description = {
        "",
        "Talks to the coordinator over standard input and output, gets its options from there, and exits when its input " +
        "ends. Options given here win, such as --egress, --driver-dir or --idle of this host." },
    exitCodeList = {
        "  0:the coordinator has finished",
        "  2:usage",
        "130:the coordinator died" })
@CommandHelp(
    examples = {
        "load-client --client-command 'ssh c1 cluster-echo/bin/load-client worker --egress 10.0.0.5:0'" },
    mostUsed = {
        "--egress", "--idle", "--driver", "--driver-dir" },
    without = { "--aeron-dir", "--client.*", LoadCommand.Options.BESIDE })
final class WorkerCommand implements Callable<Integer>
{
    @Mixin
    private LoadCommand.Options options;

    @Override
    public Integer call()
    {
        // Rejects invalid options before the coordinator is answered.
        options.config();
        final WorkerService service = new WorkerService(JsonLines.ofParent(), options.arguments(), RunConfig::parse);
        EndRequest.onSignals(() -> { }).ends(service::end);
        service.serve();
        return ExitCode.GOOD;
    }
}
