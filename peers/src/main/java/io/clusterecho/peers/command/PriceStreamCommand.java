package io.clusterecho.peers.command;

import io.clusterecho.peers.Peer;
import io.clusterecho.peers.Prices;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
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
public final class PriceStreamCommand extends WorkloadCommand
{
    @Option(names = "--count", paramLabel = "N", defaultValue = "100M",
        description = "Number of prices, for instance 100k or 100M. Default: ${DEFAULT-VALUE}.")
    private String count;

    @Override
    public Integer call()
    {
        final long wanted = parsed("--count", count, Quantity::parseRate);
        return run(Peer.Load.PRICES, Prices.ENCODED_LENGTH, (transport, warmUp, idleStrategy) ->
        {
            PriceStream.warmUp(transport, wanted, warmUp, idleStrategy);
            return new PriceStream(transport, wanted).run(idleStrategy).result(warmUp);
        });
    }
}
