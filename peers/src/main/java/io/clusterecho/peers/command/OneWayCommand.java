package io.clusterecho.peers.command;

import io.clusterecho.peers.Peer;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Messages in one direction at full speed. */
@Command(
    name = "one-way",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Send messages one way at full speed.",
    description = { "", "The server counts the messages and reports its counts at the end.", "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { "0:all messages arrived", "2:invalid usage", "3:not connected", "4:messages missing" })
public final class OneWayCommand extends WorkloadCommand
{
    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288",
        description = "Message length, from 1. Default: ${DEFAULT-VALUE}.")
    private String size;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "5s",
        description = "Measured time. Default: ${DEFAULT-VALUE}.")
    private String duration;

    @Override
    public Integer call()
    {
        final int length = lengthBytes("--size", size);
        final long timeNs = parsed("--duration", duration, Quantity::parseDurationNs);
        return run(Peer.Load.ONE_WAY, length, (transport, warmUp, idleStrategy) ->
            new OneWay(transport, length).run(warmUp, timeNs, idleStrategy));
    }
}
