package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.series.BaselineSeries;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;


import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What this machine does without a cluster.
 */
@Command(
    name = "baseline",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measures what this machine does without a cluster, and the floor of a round trip that follows from it.",
    description = {
        "",
        "Datagrams between this process and another one, at a fixed rate and with the accounts of any run: with threads that " +
        "spin, and with the idle strategy that a run here has. Syncs of the disk that holds the members' logs, sleeps, and " +
        "copies of memory. Later runs print how many times the floor their median is. Needs no root.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:good", " 1:internal error", " 2:usage", " 3:the process that echoes cannot be started",
        " 4:datagrams lost or damaged, the rate missed, a part not measured, or a result that is not whole",
        "130:interrupted" })
public final class BaselineCommand implements Callable<Integer>
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long MAX_MESSAGES = 200_000_000L;

    @Spec
    private CommandSpec spec;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288", converter = Converters.Size.class,
        description = "Length of a message, 32 to 65507. Default: ${DEFAULT-VALUE}.")
    private long lengthBytes;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "10k", converter = Converters.Rate.class,
        description = "Datagrams per second, as 100k or 1M. Default: ${DEFAULT-VALUE}.")
    private long ratePerSecond;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "What both threads do while there is nothing to do, measured beside spinning: " +
        "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, which is what a run takes.")
    private Idle idle;

    @Option(names = { "--dir", "--cluster-dir" }, paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Folder of the members' logs, whose disk is measured; of one that is not there yet, the nearest above " +
        "it. Default: ${DEFAULT-VALUE}.")
    private Path dir;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "Length of all parts together, at least 1s: 30%% for datagrams with each idle strategy, a quarter of it " +
        "warm-up, 10%% for syncs of each kind, 10%% for sleeps, 10%% for copies. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = "baseline", converter = Converters.Label.class,
        description = "Name of the baseline in its folder and report. Default: ${DEFAULT-VALUE}.")
    private String label;

    @Option(names = "--output", paramLabel = "DIR", defaultValue = "results",
        description = "Folder below which the result folder is made. Default: ${DEFAULT-VALUE}.")
    private Path output;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    @Option(names = "--quiet", description = "No progress on stderr.")
    private boolean isQuiet;

    BaselineCommand()
    {
    }

    @Override
    public Integer call()
    {
        check();
        final BaselineSeries.Plan plan = new BaselineSeries.Plan(
            (int)lengthBytes, ratePerSecond, idle, DiskPlace.of("--dir", dir), durationNs, output, label, TypedCommand.of(spec),
            configuration());
        final BaselineSeries.Ended ended =
            new BaselineSeries(plan, isQuiet ? (line) -> { } : System.err::println).execute();
        System.out.print(isJson ? ended.json() : ended.text());
        System.out.flush();
        return ended.verdict().exitStatus();
    }

    private void check()
    {
        if (lengthBytes < EchoMessage.MIN_LENGTH || lengthBytes > UdpTransport.MAX_LENGTH)
        {
            throw new InvalidSettingException(
                "--size", lengthBytes, EchoMessage.MIN_LENGTH + " to " + UdpTransport.MAX_LENGTH + " bytes");
        }
        if (durationNs < NS_PER_SECOND)
        {
            throw new InvalidSettingException("--duration", durationNs + "ns", "at least 1s");
        }
        if (durationNs / 1e9 * ratePerSecond > MAX_MESSAGES)
        {
            throw new InvalidSettingException(
                "--duration", durationNs + "ns", "at most " + MAX_MESSAGES / ratePerSecond + "s at --rate " + ratePerSecond);
        }
        if (ratePerSecond < 10)
        {
            throw new InvalidSettingException("--rate", ratePerSecond, "at least 10");
        }
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> values = new TreeMap<>();
        values.put("size", String.valueOf(lengthBytes));
        values.put("rate", String.valueOf(ratePerSecond));
        values.put("idle", idle.strategyName());
        values.put("dir", dir.toString());
        values.put("duration", durationNs + "ns");
        values.put("output", output.toString());
        return values;
    }
}
