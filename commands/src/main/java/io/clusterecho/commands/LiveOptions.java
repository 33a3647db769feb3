package io.clusterecho.commands;

import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.reporting.report.LiveServer;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Option;

/**
 * Live charts of a run in a browser.
 */
@OptionGroup(OptionGroup.Heading.OUTPUT)
final class LiveOptions
{
    private static final int MAX_PORT = 65_535;

    @Option(names = "--live", description = "Serve live charts of the run on 127.0.0.1.")
    private boolean isLive;

    @Option(names = "--live-port", paramLabel = "PORT", defaultValue = "8090",
        description = "Port of --live; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    /**
     * Start to serve, if the user asked for it, and print the address.
     *
     * @return the server, or null.
     * @throws InvalidSettingException if the port is in use or out of range.
     */
    LiveServer serve()
    {
        if (port < 0 || port > MAX_PORT)
        {
            throw new InvalidSettingException("--live-port", port, "0 to " + MAX_PORT);
        }
        if (!isLive)
        {
            return null;
        }
        final LiveServer server = new LiveServer("--live-port", port);
        System.err.println("live charts at " + server.address());
        return server;
    }
}
