package io.clusterecho.peers.command;

import java.util.LinkedHashMap;
import java.util.Map;

import io.clusterecho.commands.RootCommand;
import io.clusterecho.peers.workload.OneWayCommand;
import io.clusterecho.peers.workload.PriceStreamCommand;
import io.clusterecho.peers.workload.SuiteCommand;

/**
 * Entry of {@code peers.jar}: the load client with the peers as transports, and what starts their servers.
 */
public final class Peers
{
    private Peers()
    {
    }

    /**
     * Run what the arguments say, and exit with its status.
     *
     * @param args options of {@code run}, or a command and its options.
     */
    public static void main(final String[] args)
    {
        System.exit(execute(args));
    }

    /**
     * Run what the arguments say.
     *
     * @param args as {@code --help} explains them.
     * @return exit status.
     */
    public static int execute(final String... args)
    {
        final Map<String, Object> commands = new LinkedHashMap<>();
        commands.put("serve", new ServeCommand());
        commands.put("suite", new SuiteCommand());
        commands.put("price-stream", new PriceStreamCommand());
        commands.put("one-way", new OneWayCommand());
        return RootCommand.execute("peers", commands, args);
    }
}
