package io.clusterecho.peers.workload;

import java.util.Locale;
import java.util.concurrent.Callable;

import io.clusterecho.peers.Peer;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class OneWayCommand implements Callable<Integer>
{
    @Mixin
    private WorkloadOptions options;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288",
        description = "Message length, from 1. Default: ${DEFAULT-VALUE}.")
    private String size;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "5s",
        description = "Measured time. Default: ${DEFAULT-VALUE}.")
    private String duration;

    @Override
    public Integer call()
    {
        final int length = options.lengthBytes("--size", size);
        final WarmUp warmUp = options.warmUp();
        final OneWay.Outcome outcome;
        try (WorkloadOptions.Session session = options.open(Peer.Load.ONE_WAY, length))
        {
            outcome = new OneWay(session.transport(), length).run(
                warmUp, WorkloadOptions.parsed("--duration", duration, Quantity::parseDurationNs), options.idleStrategy());
        }

        final boolean isGood =
            outcome.received() == outcome.sent() && outcome.receivedBytes() == outcome.sent() * length && outcome.sent() > 0;
        final double rate = outcome.received() < 1 ? 0 : outcome.received() * 1e9 / outcome.durationNs();
        return options.print(
            new OneWayDocument(
                WorkloadHead.of(OneWayDocument.FORMAT, options, isGood, warmUp), length, outcome.sent(), outcome.received(),
                outcome.backPressured(), outcome.durationNs(), Math.round(rate), Math.round(rate * length)),
            isGood, String.format(
                Locale.ROOT, "%,d of %,d messages of %,d bytes in %s: %,.0f/s, %,.1f MB/s; %,d sends met back pressure%s",
                outcome.received(), outcome.sent(), length, Quantity.formatNs(outcome.durationNs()), rate, rate * length / 1e6,
                outcome.backPressured(), warmUp.text()));
    }
}
