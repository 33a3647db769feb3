package io.clusterecho.commands;

import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.series.Interruption;
import io.clusterecho.client.worker.WorkerService;
import io.clusterecho.process.JsonLines;
import io.clusterecho.reporting.results.ExitCode;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * One of several clients of a load.
 */
@Command(
    name = ClientsConfig.WORKER,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Offers a share of a load for another process, which talks to it over standard input and output.",
    description = {
        "",
        "It is started by --clients and --client-command, and not by hand. It has its options from the process that leads; " +
        "those that are given here win, as --egress, --driver-dir or --idle of this host. It ends when its input does.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { " 0:nobody asks it for anything any more", " 2:usage", "130:killed by its leader's end" })
final class WorkerCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Override
    public Integer call()
    {
        options.config(spec).clients().checkAlone(ClientsConfig.WORKER);
        final List<String> all = spec.root().commandLine().getParseResult().originalArgs();
        final WorkerService service = new WorkerService(
            JsonLines.ofParent(), all.subList(all.indexOf(ClientsConfig.WORKER) + 1, all.size()), WorkerLoad::parse);
        Interruption.install(service::requestEnd);
        service.serve();
        return ExitCode.GOOD;
    }
}
