package io.clusterecho.commands;

import java.util.List;

import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** Several client processes that share one schedule. */
@OptionGroup(OptionGroup.Heading.CLIENTS)
final class ClientOptions
{
    @Option(names = ClientsConfig.COUNT, paramLabel = "N", converter = Converters.PositiveInt.class,
        description = "Client processes that share the schedule, each with --connections sessions. Default: the number of " +
        "--client-command options, else 1.")
    private Integer count;

    @Option(names = ClientsConfig.COMMAND, paramLabel = "LINE",
        description = "Command that starts a client process, such as 'ssh HOST cluster-echo/bin/load-client worker'; split at " +
        "blanks, without quotes. Repeatable: used round-robin. Default: this program on this machine.")
    private List<String> commands = List.of();

    @Option(names = "--client-timeout", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Silence, beyond --interval, after which a client process counts as lost. Default: ${DEFAULT-VALUE}.")
    private long silenceNs;

    ClientsConfig config()
    {
        return new ClientsConfig(
            null != count ? count : Math.max(1, commands.size()), null != count,
            commands.stream().map((command) -> List.of(command.trim().split("\\s+"))).toList(), silenceNs);
    }
}
