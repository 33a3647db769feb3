package io.clusterecho.peers.command;

import java.util.List;

import io.clusterecho.commands.LoadClient;

/** Main class of {@code peers.jar}: the load client with the peers as transports, and the commands of the peers. */
public final class Peers
{
    public static void main(final String[] args)
    {
        System.exit(execute(args));
    }

    /** Run a command and return its exit status, see {@link io.clusterecho.settings.ExitCode}. */
    public static int execute(final String... args)
    {
        return LoadClient.execute("peers", List.of(
            new ServeCommand(), new WorkloadCommand.PriceStreamCommand(), new WorkloadCommand.OneWayCommand(),
            new WorkloadCommand.CallsCommand()), args);
    }
}
