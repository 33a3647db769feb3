package io.clusterecho.peers.command;

import io.clusterecho.peers.Peer;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Calls in a closed loop. */
@Command(
    name = "calls",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Make calls that return their bytes, several in flight at once.",
    description = {
        "",
        "A closed loop over one session. The client checks the bytes of each reply. A call without a reply for 1 s is lost.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { "0:all calls were answered", "2:invalid usage", "3:not connected", "4:calls lost or wrong" })
public final class CallsCommand extends WorkloadCommand
{
    private static final int MAX_CONCURRENCY = 4_096;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288",
        description = "Length of the bytes in request and reply, from 1. Default: ${DEFAULT-VALUE}.")
    private String size;

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "64",
        description = "Calls in flight at once. Default: ${DEFAULT-VALUE}.")
    private String concurrency;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "5s",
        description = "Measured time. Default: ${DEFAULT-VALUE}.")
    private String duration;

    @Override
    public Integer call()
    {
        final int length = lengthBytes("--size", size);
        final long inFlight = parsed("--concurrency", concurrency, Quantity::parseRate);
        InvalidSettingException.throwIf(inFlight > MAX_CONCURRENCY, "--concurrency", concurrency, "1 to " + MAX_CONCURRENCY);

        final long timeNs = parsed("--duration", duration, Quantity::parseDurationNs);
        return run(Peer.Load.CALLS, length, (transport, warmUp, idleStrategy) ->
            new Calls(transport, length, (int)inFlight).run(warmUp, timeNs, idleStrategy));
    }
}
