package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.series.BaselineSeries;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What this machine does without a cluster. */
@Command(
    name = "baseline",
    mixinStandardHelpOptions = true,
    header = "Measure this machine alone: the floor of a round trip.",
    description = {
        "",
        "Datagrams to another process and back at a fixed rate, with spinning threads and with the idle strategy of a " +
        "run; syncs of the disk that holds the members' logs; sleeps; memory copies. Later runs print their median as a " +
        "multiple of the floor. Needs no root." },
    exitCodeList = {
        "  0:GOOD",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:the echo process cannot be started",
        "  4:datagrams lost or corrupt, rate missed, a part not measured, or result incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client baseline",
        "load-client baseline --dir /data/cluster --duration 1m" })
public final class BaselineCommand implements Callable<Integer>
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long MAX_MESSAGES = 200_000_000L;

    @Spec
    private CommandSpec spec;

    @Option(names = { "--size", "-s" }, paramLabel = "BYTES", defaultValue = "288", converter = Converters.Size.class,
        description = "Length of a message, 32 to 65507. Default: ${DEFAULT-VALUE}.")
    private long lengthBytes;

    @Option(names = { "--rate", "-r" }, paramLabel = "N", defaultValue = "10k", converter = Converters.Rate.class,
        description = "Datagrams per second, such as 1.5k or 1M. Default: ${DEFAULT-VALUE}.")
    private long ratePerSecond;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "Idle strategy of both threads, measured in addition to spinning: ${COMPLETION-CANDIDATES}. Default: " +
        "${DEFAULT-VALUE}, that of a run.")
    private Idle idle;

    @Option(names = { "--dir", "--base-dir" }, paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Folder of the members' logs, whose disk is measured; if it does not exist, the nearest existing parent. " +
        "Default: ${DEFAULT-VALUE}.")
    private Path dir;

    @Option(names = { "--duration", "-d" }, paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "Total length, at least 1s: 30%% for datagrams with each idle strategy (a quarter of that warm-up), 10%% " +
        "for each kind of sync, 10%% for sleeps, 10%% for copies. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = "baseline", converter = Converters.Label.class,
        description = "Name of the result. Default: ${DEFAULT-VALUE}.")
    private String label;

    @Option(names = { "--output", "-o" }, paramLabel = "DIR", defaultValue = "results", converter = Converters.OutputFolder.class,
        description = "Folder for result folders. Default: ${DEFAULT-VALUE}.")
    private Path output;

    @Mixin
    private PrintOptions print;

    @Override
    public Integer call()
    {
        check();
        final BaselineSeries.Plan plan = new BaselineSeries.Plan(
            (int)lengthBytes, ratePerSecond, idle, DiskPlace.of("--dir", dir), durationNs, output, label, TypedCommand.of(spec),
            configuration());
        final BaselineSeries.Ended ended =
            new BaselineSeries(plan, print::progress).execute();
        print.result(ended.json(), ended.text(), List.of());
        return ended.verdict().exitStatus();
    }

    private void check()
    {
        InvalidSettingException.throwIf(
            lengthBytes < EchoMessage.MIN_LENGTH || lengthBytes > UdpTransport.MAX_LENGTH, "--size", lengthBytes,
            EchoMessage.MIN_LENGTH + " to " + UdpTransport.MAX_LENGTH + " bytes");
        InvalidSettingException.throwIf(durationNs < NS_PER_SECOND, "--duration", durationNs + "ns", "at least 1s");
        if (durationNs / 1e9 * ratePerSecond > MAX_MESSAGES)
        {
            throw new InvalidSettingException(
                "--duration", durationNs + "ns", "at most " + MAX_MESSAGES / ratePerSecond + "s at --rate " + ratePerSecond);
        }
        InvalidSettingException.throwIf(ratePerSecond < 10, "--rate", ratePerSecond, "at least 10");
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> values = LoadOptions.texts(spec).recorded();
        values.keySet().retainAll(Set.of("size", "rate", "dir", "duration", "output"));
        values.put("idle", idle.strategyName());
        return values;
    }
}
