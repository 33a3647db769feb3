package io.clusterecho.peers.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.clusterecho.peers.Peer;
import io.clusterecho.peers.server.Prices;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Percentiles;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One request, many prices. */
@Command(
    name = "price-stream",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Request a stream of prices and receive it at full speed.",
    description = {
        "",
        "The content of a price is one long and five ints, 28 bytes, which each system serializes and parses in its own way. " +
        "The client checks all values. One request starts the stream. Shorter streams before it are the warm-up.", "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { "0:all prices arrived in order", "2:invalid usage", "3:not connected", "4:prices missing or wrong" })
public final class PriceStreamCommand implements Callable<Integer>
{
    @Mixin
    private WorkloadOptions options;

    @Option(names = "--count", paramLabel = "N", defaultValue = "100M",
        description = "Number of prices, for instance 100k or 100M. Default: ${DEFAULT-VALUE}.")
    private String count;

    @Override
    public Integer call()
    {
        final long wanted = WorkloadOptions.parsed("--count", count, Quantity::parseRate);
        final WarmUp warmUp = options.warmUp();
        final PriceStream.Outcome outcome;
        try (WorkloadOptions.Session session = options.open(Peer.Load.PRICES, Prices.ENCODED_LENGTH))
        {
            PriceStream.warmUp(session.transport(), wanted, warmUp, options.idleStrategy());
            outcome = new PriceStream(session.transport(), wanted).run(options.idleStrategy());
        }

        final boolean isGood = wanted == outcome.count() && 0 == outcome.wrong();
        final double rate = 0 == outcome.durationNs() ? 0 : outcome.count() * 1e9 / outcome.durationNs();
        final String times = Arrays.stream(Percentile.values())
            .map((one) -> "  " + one.label() + " " + one.text(outcome.times())).collect(Collectors.joining());
        return options.print(
            new PriceStreamDocument(
                WorkloadHead.of(PriceStreamDocument.FORMAT, options, isGood, warmUp), wanted, outcome.count(), outcome.wrong(),
                outcome.durationNs(), Math.round(rate), Math.round(rate * Prices.CONTENT_LENGTH),
                Percentiles.of(outcome.times())),
            isGood, String.format(
                Locale.ROOT, "%,d of %,d prices, %,d wrong, in %s: %,.0f/s, %,.1f MB/s%s%n%s since the request", outcome.count(),
                wanted, outcome.wrong(), Quantity.formatNs(outcome.durationNs()), rate, rate * Prices.CONTENT_LENGTH / 1e6,
                warmUp.text(), times));
    }
}
