package io.clusterecho.commands;

import io.clusterecho.reporting.report.LiveServer;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Option;

/**
 * Whether a run can be looked at in a browser while it goes on.
 */
final class LiveOptions
{
    private static final int MAX_PORT = 65_535;

    @Option(names = "--live", description = "Serve charts of the run on 127.0.0.1 while it goes on.")
    private boolean isLive;

    @Option(names = "--live-port", paramLabel = "PORT", defaultValue = "8090",
        description = "Port of --live; 0 takes any that is free. Default: ${DEFAULT-VALUE}.")
    private int port;

    /**
     * Begin to serve, if asked to, and tell where.
     *
     * @return the server, or null.
     * @throws InvalidSettingException if the port is taken, or none.
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
