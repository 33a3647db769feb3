package io.clusterecho.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.sides.JudgedRun;
import io.clusterecho.reporting.sides.RigRun;
import io.clusterecho.reporting.sides.SideRun;
import io.clusterecho.reporting.sides.SideTable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Steps of scripts/side-by-side.sh, which starts the processes. */
@Command(
    name = "sides",
    hidden = true,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    header = "Steps of scripts/side-by-side.sh.")
final class SidesCommand
{
    @Command(name = "order", header = "Print the order of the sides, a line for each start.")
    void order(
        @Option(names = "--seed", required = true) final long seed,
        @Option(names = "--starts", required = true) final int startCount,
        @Option(names = "--sides", required = true) final int sideCount)
    {
        SideTable.order(seed, startCount, sideCount).forEach((sides) ->
            System.out.println(String.join(" ", sides.stream().map(String::valueOf).toList())));
    }

    @Command(name = "recorded", header = "Print what the archives at media drivers have recorded, in bytes.")
    void recorded(@Parameters(arity = "1..*", paramLabel = "PID:DIR") final List<String> drivers)
    {
        System.out.println(String.join(",", drivers.stream().map((driver) -> driver.split(":", 2))
            .map((parts) -> String.valueOf(DriverCounters.recordedBytes(Path.of(parts[1]), Long.parseLong(parts[0])))).toList()));
    }

    @Command(name = "ours", header = "Print the fields of a row for a run of this client.")
    void ours(
        @ArgGroup(exclusive = false) final Recorded recorded,
        @Parameters(paramLabel = "DIR") final Path folder) throws IOException
    {
        System.out.println(JudgedRun.ours(folder, null == recorded ? null : recorded.run(0).absentMembers()).csv());
    }

    @Command(name = "rig", header = "Print the fields of a row for a run of the rig of aeron-io/benchmarks.")
    void rig(
        @ArgGroup(exclusive = false, multiplicity = "1") final Recorded recorded,
        @Option(names = "--sent", required = true) final long sentCount,
        @Parameters(paramLabel = "FILE") final Path log)
    {
        System.out.println(JudgedRun.rig(log, recorded.run(sentCount)).csv());
    }

    @Command(name = "header", header = "Print the names of these fields.")
    void header()
    {
        System.out.println(JudgedRun.HEADER);
    }

    @Command(name = "table", header = "Print the summary of rows.")
    void table(@Parameters(paramLabel = "FILE") final Path rows) throws IOException
    {
        System.out.print(SideTable.text(SideRun.of(CsvTable.read(rows))));
    }

    /** What members recorded that do not report their elections. */
    static final class Recorded
    {
        @Option(names = "--rate", required = true)
        private long ratePerSecond;

        @Option(names = "--size", required = true)
        private int lengthBytes;

        @Option(names = "--warm-up", required = true)
        private int warmUpSeconds;

        @Option(names = "--duration", required = true)
        private int windowSeconds;

        @Option(names = "--before", required = true, split = ",")
        private List<Long> before;

        @Option(names = "--after", required = true, split = ",")
        private List<Long> after;

        RigRun run(final long sentCount)
        {
            return new RigRun(ratePerSecond, lengthBytes, warmUpSeconds, windowSeconds, sentCount, before, after);
        }
    }
}
