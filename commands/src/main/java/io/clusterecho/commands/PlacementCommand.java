package io.clusterecho.commands;

import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.transport.aeron.RoundTripProbe;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.TextTable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks the delays of an emulated placement. */
@Command(
    name = "placement",
    mixinStandardHelpOptions = true,
    header = "Measure round trips between the zones of a placement.",
    description = {
        "",
        "Sends one message back and forth between two media drivers that emulate the delays, for every pair of zones. The " +
        "median must be within 10%% or 100 us of the configured round trip." },
    exitCodeList = {
        "  0:every round trip is as configured",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  4:one is not" })
@CommandHelp(
    examples = {
        "load-client placement",
        "load-client placement config/placement/two-regions.properties --count 2000" })
final class PlacementCommand implements Callable<Integer>
{
    private static final int MOST_MEMBERS = 99;

    @Parameters(
        paramLabel = "NAME|FILE", arity = "0..1", defaultValue = Placement.PARTITION,
        description = "cluster, partition or a file of zones. Default: ${DEFAULT-VALUE}.")
    private String text;

    @Option(names = "--members", paramLabel = "N", defaultValue = "3", converter = Converters.PositiveInt.class,
        description = "Members of the cluster. Default: ${DEFAULT-VALUE}.")
    private int memberCount;

    @Option(names = "--count", paramLabel = "N", defaultValue = "500", converter = Converters.PositiveInt.class,
        description = "Round trips for each pair of zones, fewer if they take over 5 s. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    @Override
    public Integer call()
    {
        InvalidSettingException.throwIf(memberCount > MOST_MEMBERS, "--members", memberCount, "at most " + MOST_MEMBERS);
        final Placement placement = Placement.of(text, memberCount).orElseThrow(() -> new InvalidSettingException(
            "NAME|FILE", text, "a placement with zones: cluster, partition or a file"));
        final List<RoundTripProbe.RoundTrip> roundTrips =
            new RoundTripProbe(count, (error) -> System.err.println("warning: " + error)).measure(placement);
        final boolean isAsAsked = roundTrips.stream().allMatch(RoundTripProbe.RoundTrip::isAsAsked);
        System.out.print(isJson ?
            Documents.text(new Document("cluster-echo-placement/1", placement.text(), isAsAsked, roundTrips)) :
            text(placement, roundTrips));
        System.out.flush();
        return isAsAsked ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }

    /** What {@code --json} prints. */
    record Document(String format, String placement, boolean good, List<RoundTripProbe.RoundTrip> roundTrips)
    {
    }

    private static String text(final Placement placement, final List<RoundTripProbe.RoundTrip> roundTrips)
    {
        final TextTable table = new TextTable()
            .left("round trip").right("configured").right("min").right("median").right("p99").right("off by").left("");
        for (final RoundTripProbe.RoundTrip roundTrip : roundTrips)
        {
            table.row(
                roundTrip.one() + "-" + roundTrip.other(),
                Quantity.formatNs(roundTrip.askedNs()), Quantity.formatNs(roundTrip.minNs()),
                Quantity.formatNs(roundTrip.medianNs()), Quantity.formatNs(roundTrip.p99Ns()),
                (roundTrip.errorNs() < 0 ? "-" : "") + Quantity.formatNs(Math.abs(roundTrip.errorNs())),
                roundTrip.isAsAsked() ? "" : "! more than 10% and 100 us");
        }
        return placement.text() + "\n\n" + table.text() + "round trip over loopback alone: " +
            Quantity.formatNs(roundTrips.get(0).loopbackNs()) + "\n";
    }
}
