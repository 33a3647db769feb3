package io.clusterecho.peers.command;

import java.util.LinkedHashMap;
import java.util.Map;

import io.clusterecho.commands.RootCommand;

/** Main class of {@code peers.jar}: the load client with the peers as transports, and the commands of the peers. */
public final class Peers
{
    private Peers()
    {
    }

    /** Run a command and exit with its status. */
    public static void main(final String[] args)
    {
        System.exit(execute(args));
    }

    /** Run a command and return its exit status, see {@link io.clusterecho.settings.ExitCode}. */
    public static int execute(final String... args)
    {
        final Map<String, Object> commands = new LinkedHashMap<>();
        commands.put("serve", new ServeCommand());
        commands.put("price-stream", new PriceStreamCommand());
        commands.put("one-way", new OneWayCommand());
        commands.put("calls", new CallsCommand());
        commands.put("profile", new ProfileCommand());
        return RootCommand.execute("peers", commands, args);
    }
}
