package io.clusterecho.peers.workload;

import java.util.Locale;
import java.util.concurrent.Callable;

import io.clusterecho.peers.Peer;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class CallsCommand implements Callable<Integer>
{
    private static final int MAX_CONCURRENCY = 4_096;

    @Mixin
    private WorkloadOptions options;

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
        final int length = options.lengthBytes("--size", size);
        final long inFlight = WorkloadOptions.parsed("--concurrency", concurrency, Quantity::parseRate);
        if (inFlight > MAX_CONCURRENCY)
        {
            throw new InvalidSettingException("--concurrency", concurrency, "1 to " + MAX_CONCURRENCY);
        }

        final WarmUp warmUp = options.warmUp();
        final Calls.Outcome outcome;
        try (WorkloadOptions.Session session = options.open(Peer.Load.CALLS, length))
        {
            outcome = new Calls(session.transport(), length, (int)inFlight).run(
                warmUp, WorkloadOptions.parsed("--duration", duration, Quantity::parseDurationNs), options.idleStrategy());
        }

        final boolean isGood = outcome.count() > 0 && 0 == outcome.lost() && 0 == outcome.wrong();
        final double rate = outcome.count() * 1e9 / outcome.durationNs();
        return options.print(
            new CallsDocument(
                WorkloadHead.of(CallsDocument.FORMAT, options, isGood, warmUp), length, (int)inFlight, outcome.count(),
                outcome.lost(), outcome.wrong(), outcome.durationNs(), Math.round(rate), Math.round(rate * length)),
            isGood, String.format(
                Locale.ROOT, "%,d calls of %,d bytes, %,d in flight, in %s: %,.0f/s, %,.1f MB/s; %,d lost, %,d wrong%s",
                outcome.count(), length, inFlight, Quantity.formatNs(outcome.durationNs()), rate, rate * length / 1e6,
                outcome.lost(), outcome.wrong(), warmUp.text()));
    }
}
