package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.series.CalibrationSeries;
import io.clusterecho.client.series.CalibrationSeries.Part;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.text.Lines;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What client and machine do by themselves. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    header = "Measure the error of this client, and this machine alone.",
    description = {
        "",
        "Client: an echo in memory whose delay and stall are known, so that each percentile can be compared with the true " +
        "one. Machine: datagrams to another process and back at a fixed rate, with spinning threads and with the idle " +
        "strategy of a run; syncs of the disk that holds the members' logs. Later results on this machine name the error, " +
        "and print their median as a multiple of the floor that follows from the machine. Needs no cluster and no root." },
    exitCodeList = {
        "  0:GOOD",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:the echo process cannot be started",
        "  4:messages lost or corrupt, rate missed, a time below the truth, or result incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client calibrate",
        "load-client calibrate --only client --rates 10k,500k --delay 50us --duration 1m",
        "load-client calibrate --only machine --dir /data/cluster --duration 1m" })
public final class CalibrateCommand implements Callable<Integer>
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long MAX_ECHO_MESSAGES = 50_000_000L;
    private static final long MAX_DATAGRAMS = 200_000_000L;
    private static final int MAX_LENGTH = 2048;
    private static final int MIN_MESSAGES = 100;
    private static final int MIN_RATE = 10;
    private static final int MAX_IN_FLIGHT = 1 << 15;
    private static final Set<String> OF_CLIENT = Set.of("rates", "delay");
    private static final Set<String> OF_MACHINE = Set.of("rate", "dir");

    @Spec
    private CommandSpec spec;

    @Option(names = "--only", paramLabel = "PART",
        description = "Part to measure: ${COMPLETION-CANDIDATES}. Default: both.")
    private Part only;

    @Option(names = { "--size", "-s" }, paramLabel = "BYTES", defaultValue = "288", converter = Converters.Size.class,
        description = "Length of a message, 32 to 2048, or 65507 of the machine alone. Default: ${DEFAULT-VALUE}.")
    private long lengthBytes;

    @Option(names = "--rates", paramLabel = "N,N", split = ",", defaultValue = "1k,10k,100k", converter = Converters.Rate.class,
        description = "Messages per second of the client, one measurement after the other. Default: ${DEFAULT-VALUE}.")
    private List<Long> ratesPerSecond;

    @Option(names = { "--rate", "-r" }, paramLabel = "N", defaultValue = "10k", converter = Converters.Rate.class,
        description = "Datagrams per second, such as 1.5k or 1M. Default: ${DEFAULT-VALUE}.")
    private long ratePerSecond;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "Idle strategy of the client's thread, and of both threads that exchange datagrams, which are measured " +
        "spinning too: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, that of a run.")
    private Idle idle;

    @Option(names = "--delay", paramLabel = "TIME", defaultValue = "100us", converter = Converters.Duration.class,
        description = "Delay of the echo in memory. Default: ${DEFAULT-VALUE}.")
    private long delayNs;

    @Option(names = { "--dir", "--base-dir" }, paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Folder of the members' logs, whose disk is measured; if it does not exist, the nearest existing parent. " +
        "Default: ${DEFAULT-VALUE}.")
    private Path dir;

    @Option(names = { "--duration", "-d" }, paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "Length of each part, at least 1s. Client: two echoes at each rate, without and with a stall. Machine: " +
        "30%% for datagrams with each idle strategy, 10%% for each kind of sync. A quarter of each load is warm-up. " +
        "Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = "calibration", converter = Converters.Label.class,
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
        final CalibrationSeries.Plan plan = new CalibrationSeries.Plan(
            only, (int)lengthBytes, ratesPerSecond.stream().distinct().toList(), ratePerSecond, idle, delayNs,
            Part.client == only ? null : DiskPlace.of("--dir", dir), durationNs, output, label,
            LoadOptions.typed(spec), configuration());
        check(plan);
        return print.result(new CalibrationSeries(plan, print::progress).execute());
    }

    private void check(final CalibrationSeries.Plan plan)
    {
        final int maxLength = plan.has(Part.client) ? MAX_LENGTH : UdpTransport.MAX_LENGTH;
        InvalidSettingException.throwIf(
            lengthBytes < EchoMessage.MIN_LENGTH || lengthBytes > maxLength, "--size", lengthBytes,
            EchoMessage.MIN_LENGTH + " to " + maxLength + " bytes");
        InvalidSettingException.throwIf(durationNs < NS_PER_SECOND, "--duration", durationNs + "ns", "at least 1s");
        checkApplies(plan, Part.client, OF_CLIENT);
        checkApplies(plan, Part.machine, OF_MACHINE);
        if (plan.has(Part.client))
        {
            ratesPerSecond.forEach((rate) -> checkEcho(rate, plan.echoNs() / 1e9));
        }
        if (plan.has(Part.machine))
        {
            InvalidSettingException.throwIf(ratePerSecond < MIN_RATE, "--rate", ratePerSecond, "at least " + MIN_RATE);
            InvalidSettingException.throwIf(
                durationNs / 1e9 * ratePerSecond > MAX_DATAGRAMS, "--duration", durationNs + "ns",
                "at most " + MAX_DATAGRAMS / ratePerSecond + "s at --rate " + ratePerSecond);
        }
    }

    private void checkApplies(final CalibrationSeries.Plan plan, final Part part, final Set<String> options)
    {
        options.forEach((option) -> InvalidSettingException.throwIf(
            !plan.has(part) && spec.commandLine().getParseResult().hasMatchedOption("--" + option), "--" + option, "given",
            "not given with --only " + only));
    }

    private void checkEcho(final long echoRatePerSecond, final double echoS)
    {
        final double messages = echoS * echoRatePerSecond;
        InvalidSettingException.throwIf(
            echoRatePerSecond < 1 || messages < MIN_MESSAGES || messages > MAX_ECHO_MESSAGES, "--rates", echoRatePerSecond,
            Lines.text("%,d to %,d messages in each echo of %.1f s", MIN_MESSAGES, MAX_ECHO_MESSAGES, echoS));
        InvalidSettingException.throwIf(
            delayNs < 1 || delayNs / 1e9 * echoRatePerSecond > MAX_IN_FLIGHT, "--delay", delayNs + "ns",
            "more than 0 and at most " + MAX_IN_FLIGHT + " messages in flight at each rate");
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> values = LoadOptions.texts(spec.options());
        final Set<String> names = new HashSet<>(Set.of("size", "duration", "output"));
        names.addAll(Part.machine == only ? Set.of() : OF_CLIENT);
        names.addAll(Part.client == only ? Set.of() : OF_MACHINE);
        values.keySet().retainAll(names);
        values.put("idle", idle.strategyName());
        return values;
    }
}
