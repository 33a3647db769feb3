package io.clusterecho.commands;

import java.util.List;

import io.clusterecho.client.run.ClientsConfig;

import picocli.CommandLine.Option;

/**
 * Whether the load is offered by several processes, and how they are started.
 */
final class ClientOptions
{
    @Option(names = ClientsConfig.COUNT, paramLabel = "N", converter = Converters.PositiveInt.class,
        description = "Processes that offer the one schedule together, each with --connections sessions. Default: as many as " +
        "--client-command is given, else 1.")
    private Integer count;

    @Option(names = ClientsConfig.COMMAND, paramLabel = "LINE",
        description = "Starts a process of --clients, as in 'ssh HOST java -jar load-client.jar worker'; split at blanks, " +
        "without quotes. Given again it is that of the next one; they are taken in turn. Default: this program on this machine.")
    private List<String> commands = List.of();

    @Option(names = "--client-timeout", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "How long one of --clients may say nothing, beyond --interval, before it counts as lost. " +
        "Default: ${DEFAULT-VALUE}.")
    private long silenceNs;

    ClientsConfig config()
    {
        return new ClientsConfig(
            null != count ? count : Math.max(1, commands.size()), null != count, commands, List.of(), silenceNs);
    }
}
